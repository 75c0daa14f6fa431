import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DaemonHome } from '../../setup/daemon-home';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const GOOD = 'version: "1"\nproviders:\n  - { name: a, driver: parrot }\n';
const globalFile = home.configure(GOOD);
// `config check` never imports the code of a driver.
home.plugin('parrot', {
  code: 'throw new Error("was imported")',
  manifest: { options: { volume: { type: 'integer' } } },
});

test('a good configuration is ok, with the files it is made of', async () => {
  const stdout = `ok: ${globalFile}: 1 provider, 0 warnings\n`;
  expect(await home.run('config', 'check')).toEqual({ code: 0, stdout, stderr: '' });
});

test('in a project both files count; with --no-project only the global one', async () => {
  const file = home.write('project/.drivebay/providers.yaml', GOOD.replace('name: a', 'name: b'));
  const cwd = `${home.directory}/project/deep/down`;
  mkdirSync(cwd, { recursive: true });
  const both = await home.runIn(cwd, ['config', 'check']);
  const one = await home.runIn(cwd, ['config', 'check', '--no-project']);
  expect(both.stdout).toBe(`ok: ${globalFile} and ${file}: 2 providers, 0 warnings\n`);
  expect(one.stdout).toBe(`ok: ${globalFile}: 1 provider, 0 warnings\n`);
});

test('a named file is checked alone, relative to the working directory', async () => {
  const file = home.write('other/new.yaml', `${GOOD}  - { name: y, driver: parrot, voulme: 3 }\n`);
  expect(await home.runIn(`${home.directory}/other`, ['config', 'check', 'new.yaml'])).toEqual({
    code: 0,
    stdout: `ok: ${file}: 2 providers, 1 warning\n`,
    stderr: `warning: ${file}:4:32: provider "y": unknown option voulme, ignored; did you mean volume?\n`,
  });
});

test('a providers.yaml beside the folder of the project, or without one, is named with the way to use it', async () => {
  const file = home.write('misplaced/providers.yaml', GOOD);
  const check = () => home.runIn(`${home.directory}/misplaced`, ['config', 'check']);
  const words = `warning: ${file}: the file is not read here: that of a project is .drivebay/providers.yaml; `;
  expect(await check()).toEqual({
    code: 0,
    stdout: `ok: ${globalFile}: 1 provider, 1 warning\n`,
    stderr: `${words}move it there: mkdir -p .drivebay && mv providers.yaml .drivebay/\n`,
  });
  home.write('misplaced/.drivebay/providers.yml', GOOD);
  expect((await check()).stderr).toBe(`${words}move what it says there\n`);
  home.write('misplaced/providers.yaml', 'of: "another program"\n');
  expect((await check()).stderr).toBe('');
});

(process.getuid?.() === 0 ? test : test.skip)(
  'a project of another user in a shared folder is named and not read',
  async () => {
    const file = home.write('shared/.drivebay/providers.yaml', GOOD);
    chownSync(dirname(file), 65_534, 65_534);
    chmodSync(`${home.directory}/shared`, 0o1777);
    const { stdout, stderr } = await home.runIn(`${home.directory}/shared`, ['config', 'check']);
    expect(stderr).toMatch(`warning: ${dirname(file)}: this folder does not count: it belongs to another user`);
    expect(stdout).toBe(`ok: ${globalFile}: 1 provider, 1 warning\n`);
  },
);

test('a variable of the configuration folder that is no absolute path does not count, and that is said', async () => {
  const { stdout, stderr } = await home.runIn(home.directory, ['config', 'check'], { XDG_CONFIG_HOME: 'settings' });
  expect(stderr).toBe(
    `warning: XDG_CONFIG_HOME does not count: it is no absolute path; in use: ${home.directory}/.config/drivebay\n`,
  );
  expect(stdout).toBe(`ok: ${globalFile}: 1 provider, 1 warning\n`);
});

test('a list of prices is read, and what is wrong with it is told', async () => {
  const file = home.write('priced/prices.yaml', `${GOOD}price_table: prices.json\n`);
  const table = home.write('priced/prices.json', '[]');
  const message = `price_table ${table} cannot be used (it is not a JSON object with a model in each field): it gives no price`;
  expect(await home.run('config', 'check', file)).toEqual({
    code: 0,
    stdout: `ok: ${file}: 1 provider, 1 warning\n`,
    stderr: `warning: ${file}:4:14: ${message}; \`drivebay docs costs\` says where to get one\n`,
  });
});

test('all mistakes are told at once; an unknown driver hides no other mistake of its entry', async () => {
  const lines = 'driver: parot\n    mode: steam\n    timeout_sec: -1\n    base_url: localhost\n    volume: x\n';
  const file = home.write('typo.yaml', `version: "1"\nproviders:\n  - name: a\n    ${lines}`);
  const { code, stdout, stderr } = await home.run('config', 'check', file);
  expect([code, stdout]).toEqual([2, '']);
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

test.each([
  ['broken YAML', 'providers: [\n  - {', /bad\.yaml:\d+:\d+: /],
  ['a wrong value of a driver’s option', `${GOOD}    volume: loud\n`, /bad\.yaml:4:\d+: /],
])('%s is placed, without a stack trace', async (_, text, message) => {
  const { code, stderr } = await home.run('config', 'check', home.write('bad.yaml', text));
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each([['providers', 'status'], ['serve'], ['service', 'install'], ['devices'], ['dashboard', '--no-open']])(
  '%s %s ends with exit code 2 where the configuration has mistakes',
  async (...words: string[]) => {
    const broken = new DaemonHome();
    const file = broken.configure('providers: 7');
    expect(await broken.run(...words.filter(Boolean))).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: the configuration has a problem\n  ${file}:1:12: `) as string,
    });
  },
);

test('without a file there is the built-in provider', async () => {
  const { code, stdout } = await tempHome().run('config', 'check');
  expect(code).toBe(0);
  expect(stdout).toBe('ok: no configuration file, so the built-in provider is used: 1 provider, 0 warnings\n');
});

test('what is ignored is said beside what is wrong', async () => {
  const home = tempHome();
  const file = home.configure(`version: "1"
colour: red
providers:
  - { name: a, driver: openai-compatible, base_url: 5, size: 2 }
`);
  expect(await home.run('config', 'check')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: the configuration has a problem
  ${file}:4:53: providers[0].base_url: found the number 5, expected an http or https URL
warning: ${file}:2:1: colour: unknown key, ignored
warning: ${file}:4:56: provider "a": unknown option size, ignored
`,
  });
});

test('a key beside an unknown driver is told at once, without its value', async () => {
  const lines = 'driver: parot\n    api_key: sk-very-secret\n    auth_mode: plain';
  const file = home.write('key.yaml', `version: "1"\nproviders:\n  - name: a\n    ${lines}\n`);
  const { code, stderr } = await home.run('config', 'check', file);
  expect(code).toBe(2);
  expect(stderr).toContain('no plug-in provides driver "parot"');
  expect(stderr.match(/^warning: .*/gm)).toEqual([
    `warning: ${file}:5:5: provider "a": api_key is ignored, because keys are never in this file; ` +
      'put the key into an environment variable, and write its NAME here: api_key_env: NAME',
  ]);
  expect(stderr).not.toContain('very-secret');
});

test('a name that occurs twice hides no other mistake of its entry', async () => {
  const again = '  - { name: a, driver: parrot, voulme: 3, mode: steam }\n';
  const file = home.write('twice.yaml', GOOD + again);
  const { code, stderr } = await home.run('config', 'check', file);
  expect(code).toBe(2);
  expect(stderr.replaceAll(`${file}:`, '').trim().split('\n')).toEqual([
    'error: the configuration has 2 problems',
    expect.stringMatching(/^ {2}4:13: providers\[1\]\.name: found "a" a second time/),
    expect.stringMatching(/^ {2}4:49: providers\[1\]\.mode: found the text "steam"/),
    'warning: 4:32: provider "a": unknown option voulme, ignored; did you mean volume?',
  ]);
});

test('a key is shown nowhere, in whatever place it stands', async () => {
  const key = 'sk-proj-0123456789abcdefABCDEF';
  const entries = [
    `{ name: a, driver: ${key} }`,
    `{ name: ${key}, driver: parrot }`,
    `{ name: b, driver: parrot, default_model: ${key} }`,
    `{ name: c, driver: parrot, ${key}: 1 }`,
    `{ name: d, driver: parrot, models: { "x:${key}": { ${key}: 1 } } }`,
  ];
  const file = home.write('keys/new.yaml', `version: "1"\nproviders:\n  - ${entries.join('\n  - ')}\n${key}: 1\n`);
  const { code, stdout, stderr } = await home.run('config', 'check', file);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toMatch(/sk-proj|abcdef/i);
  expect(stderr).toMatch(/default_model: found a text \(not shown\), expected the name of a model, and no key/);
});
