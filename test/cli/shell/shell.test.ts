import { existsSync } from 'node:fs';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { isAlive } from '../../setup/daemon-home';
import { LiveCli } from '../../setup/live-cli';
import { cliPath } from '../../setup/run-cli';

const home = new AgentHome();
const quoted = (intent: string) => `'${intent}'`;

test('commands from a pipe run one after the other', async () => {
  const lines = `# a comment

spawn --provider other --effort low "say it"
ps -a
trace 1
wait 1
quit
ps`;
  const { code, stdout, stderr } = await home.live('shell').endInput(lines).end();
  expect(stdout).toMatch(/^Hello\nPID .*\n1 +done +other .*\nprocess 1, .*\n[^]*effort low \(by --effort\)/);
  expect(stdout.match(/^PID/gm)).toHaveLength(1);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'process 1: other, o-1, effort low\n' });
  expect(existsSync(`${home.state}/shell_history`)).toBe(false);
});

test.each<[string, string, number, RegExp]>([
  ['an unknown command', 'spwn x', 2, /unknown command 'spwn'\n\(Did you mean spawn\?\)/],
  ['help about it', 'help spwn', 2, /^error: there is no command 'spwn'\n {2}did you mean spawn\?\n/],
  ['a word that is like no command', 'look', 2, /unknown command 'look'\n\(see: help\)/],
  ['an open quote', "spawn what's new", 2, /a quote or a backslash has no end: 's new\n {2}put a text/],
  ['no such process', 'kill 99', 1, /there is no process 99/],
  ['a run that fails', `spawn ${quoted(script([{ fail: ['upstream', 'it broke'] }]))}`, 1, /it broke/],
  ['a missing value', 'spawn x --provider', 2, /'--provider <name>' argument missing\n\(see: help spawn\)/],
])('%s fails, and the next line is read; the exit code tells it at the end', async (_, line, expected, message) => {
  const { code, stdout, stderr } = await home.live('shell').endInput(`${line}\nspawn go on\n`).end();
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: expected, stdout: 'Hello\n' });
});

test('help shows the commands, and about one of them', async () => {
  const { code, stdout } = await home.live('shell').endInput('help\nhelp spawn\nps --help\n').end();
  expect(code).toBe(0);
  const flags = ['--effort <level>', '--all', 'Usage: spawn [options] <intent...>'];
  for (const word of ['spawn', 'ps', 'kill', 'wait', 'trace', 'exit', ...flags]) expect(stdout).toContain(word);
});

test('Ctrl-C ends the spawn that runs, and not the shell', async () => {
  const shell = home.live('shell').type(`spawn ${quoted(script([{ program: true }]))}`);
  await shell.until(/\d+ \d+/);
  const pids = shell.stdout.trim().split(/\s+/).map(Number);
  shell.signal('SIGINT');
  shell.type('spawn again').type('exit');
  const { code, stdout } = await shell.end();
  expect(stdout).toMatch(/\nHello\n$/);
  expect(code).toBe(130);
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test('SIGTERM ends the spawn that runs, and the shell', async () => {
  const shell = home.live('shell').type(`spawn ${quoted(script([say('working'), { hang: true }]))}`);
  await shell.until(/working/);
  shell.type('spawn never').signal('SIGTERM');
  expect(await shell.end()).toMatchObject({ code: 143, stdout: 'working\n' });
  expect((await home.run('ps')).stdout).not.toContain('running');
});

test('SIGTERM ends a shell that waits for a line', async () => {
  const shell = home.live('shell').type('help help');
  await shell.until(/show the commands/);
  expect(await shell.signal('SIGTERM').end()).toMatchObject({ code: 143 });
});

test('a reader that leaves ends the shell: nothing more is begun', async () => {
  const lines = ['spawn first', ...Array.from({ length: 5 }, () => 'spawn --provider other again')].join('\n');
  const line = `printf '%s\n' "$LINES_IN" | "$0" "$1" shell | true`;
  const env = home.environment({ LINES_IN: lines });
  const { stderr } = await new LiveCli([process.execPath, cliPath], { env }, ['sh', '-c', line]).end();
  expect(stderr.match(/^process \d+/gm)).toHaveLength(1);
});

test('Ctrl-C ends a wait, and a trace that follows, and what they had to say', async () => {
  const { stdout } = await home.run('--detach', script([say('working'), { hang: true }]));
  const pid = stdout.trim();
  const shell = home.live('shell').type(`trace -f ${pid}`);
  await shell.until(/working/);
  shell.signal('SIGINT').type('ps');
  await shell.until(/PID/);
  shell.type(`kill ${pid}`).type('exit');
  expect((await shell.end()).stdout).toMatch(new RegExp(`process ${pid} is killed\n$`));
});
