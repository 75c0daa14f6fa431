import { LiveCli } from '../../setup/live-cli';
import { cliPath } from '../../setup/run-cli';
import { CrowHome } from './fake-client';

const home = new CrowHome();
const node = `'${process.execPath}' '${cliPath}'`;

/** A shell with job control at a terminal of its own. */
function shell(): LiveCli {
  const env = home.environment({ PS1: 'ready> ', TERM: 'dumb', SHELL: '/bin/bash' });
  const command = ['script', '-qefc', 'bash --norc --noprofile -i', '/dev/null'];
  return new LiveCli([], { env, cwd: home.directory }, command);
}

test('the terminal is that of the program', async () => {
  const { stdout } = await shell().type(`${node} launch crow -- terminal; exit`).end();
  expect(stdout).toContain('{"tty":[true,true,true]}');
});

test('Ctrl-C reaches the program once, and what the program makes of it is the exit code', async () => {
  const terminal = shell().type(`${node} launch crow -- wait; echo "code=$?"; exit`);
  await terminal.until(/^\{"pid"/m);
  terminal.child.stdin!.write('\x03');
  const { stdout } = await terminal.end();
  expect(stdout).toMatch(/code=5/);
  expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
});

test('Ctrl-Z gives the shell its prompt back, and fg goes on with the program', async () => {
  const terminal = shell().type(`${node} launch crow -- wait`);
  await terminal.until(/^\{"pid"/m);
  terminal.child.stdin!.write('\x1a');
  await terminal.until(/Stopped/);
  terminal.type('fg');
  terminal.type('chat');
  await terminal.until(/"status":200/);
  terminal.type('end');
  terminal.type('echo "code=$?"; exit');
  expect((await terminal.end()).stdout).toMatch(/code=0/);
});

test('a program that stops itself alone gives the prompt back too', async () => {
  const terminal = shell().type(`${node} launch crow -- stop`);
  await terminal.until(/stops itself[^]*Stopped/);
  terminal.type('fg; echo "code=$?"; exit');
  const { stdout } = await terminal.end();
  expect(stdout).toMatch(/goes on[^]*code=4/);
});
