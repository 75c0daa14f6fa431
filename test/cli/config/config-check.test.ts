import { mkdirSync } from 'node:fs';
import { COMMONJS } from '../../setup/driver-code';
import { runCli } from '../../setup/run-cli';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
afterAll(() => home.remove());

const GOOD = 'version: "1"\nproviders:\n  - { name: a, driver: parrot }\n';
let globalFile: string;

beforeAll(() => {
  // Its code is never needed to check a file.
  home.plugin('parrot', {
    code: 'throw new Error("was imported")',
    manifest: { options: { volume: { type: 'integer' } } },
  });
  globalFile = home.configure(GOOD);
});

const check = (words: string[] = [], cwd?: string) =>
  runCli(['config', 'check', ...words], { env: home.environment(), ...(cwd && { cwd }) });

test('a good configuration is ok, with what it is made of', async () => {
  expect(await check()).toEqual({ code: 0, stdout: `ok: ${globalFile}: 1 provider, 0 warnings\n`, stderr: '' });
});

test('in a project both files count; with --no-project only the global one', async () => {
  const file = home.write(
    'project/.drivebay/providers.yaml',
    'version: "1"\nproviders:\n  - { name: b, driver: parrot }\n',
  );
  mkdirSync(`${home.directory}/project/deep/down`, { recursive: true });
  const cwd = `${home.directory}/project/deep/down`;
  const [both, one] = await Promise.all([check([], cwd), check(['--no-project'], cwd)]);
  expect(both.stdout).toBe(`ok: ${globalFile} and ${file}: 2 providers, 0 warnings\n`);
  expect(one.stdout).toBe(`ok: ${globalFile}: 1 provider, 0 warnings\n`);
});

test('a file that is named is checked alone, relative to the working directory', async () => {
  home.write(
    'other/new.yaml',
    'version: "1"\nproviders:\n  - { name: x, driver: parrot, volume: 3 }\n  - { name: y, driver: parrot, voulme: 3 }\n',
  );
  const result = await check(['new.yaml'], `${home.directory}/other`);
  const file = `${home.directory}/other/new.yaml`;
  expect(result).toEqual({
    code: 0,
    stdout: `ok: ${file}: 2 providers, 1 warning\n`,
    stderr: `warning: ${file}:4:32: provider "y": unknown option voulme, ignored; did you mean volume?\n`,
  });
});

describe('what is wrong is said all at once on stderr, with exit code 2', () => {
  test.each<[string, string, RegExp[]]>([
    ['broken YAML', 'providers: [\n  - {', [/bad\.yaml:\d+:\d+: /]],
    ['no map', '- a\n- b\n', [/found a list, expected a map/]],
    ['a version of the future', 'version: "2"\nproviders: []\n', [/bad\.yaml:1:10: version: found the text "2"/]],
    [
      'several mistakes',
      'version: "1"\ndefault_provider: nobody\nproviders:\n  - { name: a, driver: parot }\n  - { name: b, driver: parrot, volume: loud }\n  - { name: b, driver: parrot }\n  - { driver: parrot }\n',
      [
        /the configuration has \d problems/,
        /bad\.yaml:4:24: providers\[0\]\.driver: no plug-in provides driver "parot"; did you mean parrot\?/,
        /bad\.yaml:5:40: providers\[1\]\.volume: found the text "loud", expected a whole number/,
        /providers\[2\]\.name: found "b" a second time/,
        /providers\[3\]\.name: found nothing/,
      ],
    ],
  ])('%s', async (_, text, messages) => {
    const file = home.write('bad.yaml', text);
    const { code, stdout, stderr } = await check([file]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: the configuration has /);
    for (const message of messages) expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('a folder where a file belongs', async () => {
    const { code, stderr } = await check([home.directory]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is a directory/);
  });
});

test('without any file the built-in provider is what there is', async () => {
  const empty = new TempHome();
  const { code, stdout } = await runCli(['config', 'check'], { env: empty.environment() });
  expect(code).toBe(0);
  expect(stdout).toBe('ok: no configuration file, so the built-in provider is used: 1 provider, 0 warnings\n');
  empty.remove();
});

test('XDG_CONFIG_HOME is looked at first, and ~/.config where it holds no file', async () => {
  const elsewhere = new TempHome();
  elsewhere.plugin('parrot', { code: COMMONJS });
  const fallback = elsewhere.configure(GOOD);
  const env = elsewhere.environment({ XDG_CONFIG_HOME: `${elsewhere.directory}/xdg` });
  const before = await runCli(['config', 'check'], { env });
  expect(before.stdout).toContain(fallback);
  const preferred = elsewhere.write('xdg/drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
  const after = await runCli(['config', 'check'], { env });
  expect(after.stdout).toBe(`ok: ${preferred}: 0 providers, 0 warnings\n`);
  elsewhere.remove();
});

test('an unknown driver hides no other mistake of its entry', async () => {
  const lines = 'driver: parot\n    mode: steam\n    timeout_sec: -1\n    base_url: localhost\n    volume: x\n';
  const file = home.write('typo.yaml', `version: "1"\nproviders:\n  - name: a\n    ${lines}`);
  const { code, stderr } = await check([file]);
  expect(code).toBe(2);
  // The list grows with each driver.
  const words = stderr.replaceAll(`${file}:`, '').replace(/drivers: .*\bparrot\b.*\)/, 'drivers: ALL)');
  expect(words.trim().split('\n')).toEqual([
    'error: the configuration has 4 problems',
    '  4:13: providers[0].driver: no plug-in provides driver "parot"; did you mean parrot? (drivers: ALL)',
    '  5:11: providers[0].mode: found the text "steam", expected one of stream, call; did you mean stream?',
    '  6:18: providers[0].timeout_sec: found the number -1, expected a whole number of 0 or more',
    '  7:15: providers[0].base_url: found the text "localhost", expected an http or https URL',
  ]);
});
