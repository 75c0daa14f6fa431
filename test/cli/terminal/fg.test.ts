import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { cliPath } from '../../setup/run-cli';
import { inTerminal } from '../../setup/terminal';

const home = new AgentHome();
home.write('.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: bold, driver: worker, may_do: all }\n');
const CTRL_Z = '\x1a';

/** A shell with job control at a terminal of its own. */
function shell(): LiveCli {
  const env = home.environment({ TERM: 'xterm', SHELL: '/bin/bash' });
  return new LiveCli([], { env, cwd: home.directory }, ['script', '-qefc', 'bash --norc --noprofile -i', '/dev/null']);
}

inTerminal.each([
  ['a question', "'say it' --provider bold", /Let agents work in this folder\? \[y\/N\] /, 'y', 'Hello'],
  ['a prompt', 'shell', /drivebay> /, 'ps', 'no process is running'],
])('after Ctrl-Z, fg goes back to %s', async (_, words, asked, answer, effect) => {
  const terminal = shell().type(`'${process.execPath}' '${cliPath}' ${words}; echo "code=$?"`);
  await terminal.until(asked);
  terminal.child.stdin!.write(CTRL_Z);
  // 128, and the number of SIGTSTP.
  await terminal.until(/code=148/);
  const before = terminal.stdout.length;
  terminal.type('fg; echo "code=$?"');
  await terminal.until({ test: (output) => asked.test(output.slice(before)) });
  terminal.type(answer);
  await terminal.until(new RegExp(`code=0|${effect}`));
  expect(terminal.stdout).toContain(effect);
  await terminal.signal('SIGTERM').end();
});
