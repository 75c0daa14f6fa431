import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { inTerminal, Terminal } from '../../setup/terminal';

const home = new AgentHome();
home.write('.drivebay/providers.yaml', 'version: "1"\nproviders:\n  - { name: bold, driver: worker, may_do: all }\n');
const CTRL_C = '\x03';
const ERASE = /\x1b\[1A\r\x1b\[J/;

inTerminal('a live line shows what happens, and is gone when the answer comes', async () => {
  const terminal = new Terminal(home, [
    script([{ type: 'activity', tool: 'Read' }, { hang: true }]),
    '--provider',
    'cli',
  ]);
  await terminal.until(/process \d+ · cli · Read · \d/);
  await terminal.until(ERASE);
  terminal.type(CTRL_C);
  expect(await terminal.end()).toMatchObject({ code: 130 });
  const answer = new Terminal(home, ['say it']);
  expect(await answer.end()).toMatchObject({ code: 0 });
  expect(answer.stdout).toMatch(/Hello\r\n$/);
});

inTerminal('the first agent in a folder that acts without asking needs a yes, once', async () => {
  const question =
    /provider "bold" can change files and run programs without asking, in \S+\r\n {2}what it may do is set in providers.yaml: may_do\r\n.*Let agents work in this folder\? \[y\/N\] /;
  const shell = new Terminal(home, ['shell']);
  await shell.until(/drivebay> /);
  shell.type("spawn --provider bold 'say it'\r");
  await shell.until(question);
  shell.type('\r');
  await shell.until(/nothing was started[^]*drivebay> /);
  expect((await shell.type('exit\r').end()).stdout).not.toContain('Hello');
  home.write('bold.yaml', JSON.stringify({ agents: { one: { intent: 'say it', provider: 'bold' } } }));
  const compose = new Terminal(home, ['compose', 'up', 'bold.yaml']);
  await compose.until(question);
  expect(await compose.type('n\r').end()).toMatchObject({ code: 1 });
  const redirected = new Terminal(home, ['say it', '--provider', 'bold'], '> answer');
  await redirected.until(question);
  expect(await redirected.type('n\r').end()).toMatchObject({ code: 1 });
  home.write('input', 'more to say');
  const piped = new Terminal(home, ['say it', '--provider', 'bold'], '< input');
  await piped.until(question);
  expect(await piped.type('n\r').end()).toMatchObject({ code: 1 });
  const run = new Terminal(home, ['say it', '--provider', 'bold']);
  await run.until(question);
  expect(await run.type('y\r').end()).toMatchObject({ code: 0 });
  expect(run.stdout).toMatch(/Hello\r\n$/);
  const again = new Terminal(home, ['say it', '--provider', 'bold']);
  expect(await again.end()).toMatchObject({ code: 0 });
  expect(again.stdout).not.toMatch(question);
});

inTerminal('a project cannot play with the terminal', async () => {
  const file = home.write('\x1b]0;title\x07/.drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
  const terminal = new Terminal(home, ['config', 'check', file]);
  await terminal.end();
  expect(terminal.stdout).toMatch(/ok: \S+ \]0;title \/\.drivebay/);
  expect(terminal.stdout).not.toMatch(/\x1b\]|\x07/);
});

inTerminal('a model cannot play with the terminal', async () => {
  const terminal = new Terminal(home, [script([say('\x1b]0;title\x07\x1b[2Jred\ttab\r\n\x9bline')])]);
  await terminal.end();
  expect(terminal.stdout).toContain(']0;title[2Jred\ttab\r\nline\r\n');
  const reversed = new Terminal(home, [script([say('abc\u202etxt.exe \u2066x')])]);
  await reversed.end();
  expect(reversed.stdout).toContain('abctxt.exe x\r\n');
});

test('a character that a model gives in two pieces is whole', async () => {
  const { stdout } = await home.run(script([say('a\ud83d'), say('\ude42b')]));
  expect(stdout).toBe('a🙂b\n');
});

inTerminal('agents of a compose run have a line each', async () => {
  home.write(
    'compose.yaml',
    JSON.stringify({ agents: { one: { intent: script([{ hang: true }]) }, after: { intent: 'x', needs: ['one'] } } }),
  );
  const terminal = new Terminal(home, ['compose', 'up']);
  await terminal.until(/one {4}process \d+ · main · \d[^\n]*\n[^\n]*after {2}waits for one/);
  expect(await terminal.type(CTRL_C).end()).toMatchObject({ code: 130 });
});

inTerminal('Ctrl-D leaves the shell, and the line of its prompt', async () => {
  const terminal = new Terminal(home, ['shell']);
  await terminal.until(/drivebay> /);
  expect(await terminal.type('\x04').end()).toMatchObject({ code: 0 });
  expect(terminal.stdout).toMatch(/drivebay> [^\n]*\r\n$/);
});

inTerminal(
  'a chat has a prompt and a history for the user alone; a paste is one message, Ctrl-C ends the answer',
  async () => {
    const terminal = new Terminal(home, ['chat']);
    await terminal.until(/main, m-1 · \/help shows the commands, Ctrl-D leaves\r\n[^]*you> /);
    terminal.type('one \\\r');
    await terminal.until(/\.\.\.> /);
    terminal.type(`two${CTRL_C}`);
    await terminal.until(/two\^C\r\n[^]*you> /);
    const hanging = script([say('ha'), say('lf'), { hang: true }], [{ tell: 'request' }]);
    terminal.type(`${hanging}\r`);
    await terminal.until(/half/);
    terminal.type(CTRL_C);
    await terminal.until(/half\r\n[^]*you> /);
    terminal.type('\x1b[200~pasted\r\rtext\x1b[201~ and more\r');
    await terminal.until(/pasted\\n\\ntext and more[^]*main, m-1 · .* 10 out[^]*you> /);
    terminal.type(CTRL_C);
    await terminal.until(/Ctrl-C again leaves, and so do Ctrl-D and \/exit\r\n[^]*you> /);
    expect(await terminal.type(CTRL_C).end()).toMatchObject({ code: 0 });
    const file = `${home.state}/chat_history`;
    expect(readFileSync(file, 'utf8').split('\n').slice(-4)).toEqual([hanging, 'pasted', 'text and more', '']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
);

inTerminal.each(['exit', 'quit'])('%s leaves a chat, and goes to no model', async (word) => {
  const terminal = new Terminal(home, ['chat']);
  await terminal.until(/you> /);
  const { code, stdout } = await terminal.type(`${word}\r`).end();
  expect([code, / · [\d.]+m?s · /.test(stdout)]).toEqual([0, false]);
});

inTerminal('the shell has a prompt, a history for the user alone, and completion', async () => {
  const file = `${home.state}/shell_history`;
  await home.start();
  writeFileSync(file, 'ps -a\n', { mode: 0o644 });
  const terminal = new Terminal(home, ['shell']);
  await terminal.until(/drivebay> /);
  terminal.type('\x1b[A');
  await terminal.until(/ps -a/);
  terminal.type(`${CTRL_C}half`);
  await terminal.until(/half/);
  terminal.type(`${CTRL_C}sp\t`);
  await terminal.until(/spawn /);
  terminal.type('--provider ot\t');
  await terminal.until(/--provider other /);
  terminal.type('say it\r');
  await terminal.until(/Hello/);
  terminal.type(`spawn '${script([{ hang: true }])}'\r`);
  await terminal.until(/process \d+: main/);
  terminal.type(CTRL_C);
  await terminal.until(/main[^]*drivebay> /);
  terminal.type('exit\r');
  expect(await terminal.end()).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8').split('\n').slice(0, 2)).toEqual(['ps -a', 'spawn --provider other say it']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
