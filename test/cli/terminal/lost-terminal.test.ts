import { existsSync, readFileSync } from 'node:fs';
import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { cliPath } from '../../setup/run-cli';
import { inTerminal } from '../../setup/terminal';
import { until } from '../../setup/until';

const home = new AgentHome();

inTerminal.each([
  ['chat', ['chat'], /you> /],
  ['a prompt', ['shell'], /drivebay> /],
])('the end of %s with its terminal is none by a crash', async (_, words, ready) => {
  const status = `${home.directory}/${words[0]}.status`;
  // The shell outlives the terminal, to see how the program ends.
  const line = `trap '' HUP; "$NODE" "$CLI" ${words.map((_, index) => `"$WORD_${index}"`).join(' ')}; echo $? > "$STATUS"`;
  const variables = Object.fromEntries(words.map((word, index) => [`WORD_${index}`, word]));
  const more = { NODE: process.execPath, CLI: cliPath, TERM: 'xterm', SHELL: '/bin/sh', STATUS: status };
  const env = home.environment({ ...variables, ...more });
  const terminal = new LiveCli(['-qefc', line, '/dev/null'], { env }, ['/usr/bin/script']);
  await terminal.until(ready);
  terminal.signal('SIGKILL');
  await until(() => existsSync(status) && readFileSync(status, 'utf8') !== '');
  // SIGHUP. An abort is 134.
  expect(readFileSync(status, 'utf8')).toBe('129\n');
});
