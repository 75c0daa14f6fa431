import { AgentHome } from '../../setup/agent-home';
import { LiveCli } from '../../setup/live-cli';
import { cliPath } from '../../setup/run-cli';

const home = new AgentHome();

async function intentOf(cli: LiveCli): Promise<string> {
  const { stdout } = await cli.end();
  return (JSON.parse(stdout) as { intent: string }).intent;
}

test('text from a pipe is put behind the intent, as it is', async () => {
  const cli = home.live('sum up', '--json').endInput('line 1\nline 2\n');
  expect(await intentOf(cli)).toBe('sum up\n\nline 1\nline 2\n');
});

/** The program with the stdin that a line of a shell gives it. */
const inShell = (line: string) =>
  new LiveCli([process.execPath, cliPath], { env: home.environment() }, ['sh', '-c', `"$0" "$1" ${line}`]);

test('so is the text of a file', async () => {
  home.write('notes.txt', 'notes');
  expect(await intentOf(inShell('"sum up" --json < notes.txt'))).toBe('sum up\n\nnotes');
});

test('- in place of an intent takes the text for it', async () => {
  expect(await intentOf(home.live('-', '--json').endInput('sum up\n'))).toBe('sum up\n');
  expect(await intentOf(home.live('run', '--json', '-').endInput('sum up\n'))).toBe('sum up\n');
  const { code, stderr } = await home.live('-').endInput().end();
  expect(code).toBe(2);
  expect(stderr).toBe(
    'error: the intent is empty\n  say what to do: drivebay "<intent>", or from a pipe: drivebay -\n',
  );
});

test('an empty pipe adds nothing, and --no-stdin does not look', async () => {
  expect(await intentOf(home.live('sum up', '--json').endInput())).toBe('sum up');
  expect(await intentOf(home.live('sum up', '--json', '--no-stdin'))).toBe('sum up');
});

test('a closed stdin is no failure', async () => {
  expect(await inShell('"say it" <&-').end()).toMatchObject({ code: 0, stdout: 'Hello\n' });
});

test('a pipe that stays open is given up with a notice, whatever came', async () => {
  const silent = home.live('say it');
  const half = home.live('say it', '--json');
  half.type('half');
  const { code, stdout, stderr } = await silent.end();
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello\n' });
  expect(stderr).toMatch(
    /^note: stdin is open, but nothing came: continuing without it; to not wait for it: --no-stdin\n/,
  );
  expect(await intentOf(half)).toBe('say it');
  expect(half.stderr).toContain('continuing without it, and without the 5 bytes that came');
});

test.each<[string, string | Buffer, RegExp]>([
  ['what is no text', 'a\0b', /error: stdin is not UTF-8 text\n {2}to leave it out: --no-stdin/],
  ['text in another encoding', Buffer.from('na\u00efve', 'latin1'), /error: stdin is not UTF-8 text/],
  ['what is too much', 'x'.repeat(8 * 1024 * 1024 + 1), /error: stdin has more than 8388608 bytes/],
])('%s is refused', async (_, text, message) => {
  const { code, stderr } = await home.live('say it').endInput(text).end();
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('Ctrl-C ends the waiting for stdin', async () => {
  const own = new AgentHome();
  own.configure(
    'version: "1"\ndefault_provider: p\nproviders:\n  - { name: p, driver: plain, default_model: m, colour: red }\n',
  );
  const cli = own.live('say it');
  // The project is open by then, and stdin alone is waited for.
  await cli.until(/warning: .*colour/);
  expect(await cli.signal('SIGINT').end()).toMatchObject({ code: 130, stdout: '' });
});
