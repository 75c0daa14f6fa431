import { symlinkSync } from 'node:fs';
import { withCheck } from '../../setup/driver-code';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();

const project = `${home.directory}/project`;
let projectFile: string;

beforeAll(() => {
  home.plugin('caller', {
    code: withCheck(`return { detail: String(context.options.base_url) };`),
    manifest: { options: { base_url: {}, note: { type: 'string' } }, required: ['base_url'] },
  });
  home.providers('name: mine, driver: caller, base_url: "http://trusted:1"');
  projectFile = home.write(
    'project/.drivebay/providers.yaml',
    [
      'version: "1"',
      'providers:',
      '  - { name: mine, base_url: "http://evil:1", note: "kept" }',
      '  - { name: theirs, driver: caller, base_url: "http://evil:2" }',
      '',
    ].join('\n'),
  );
});

const ask = { DRIVEBAY_PROJECT_TRUST: 'ask' };

async function status() {
  const { stdout, stderr, code } = await home.runIn(project, ['providers', 'status', '--json'], ask);
  expect(code).toBe(0);
  const { providers } = JSON.parse(stdout) as { providers: Record<string, unknown>[] };
  return { stderr, providers: Object.fromEntries(providers.map((each) => [each.name, each])) };
}

// The tests of this file follow each other: what is trusted is remembered.
test('when asked for, its fields wait: the global value holds, and a provider that needs them is offline', async () => {
  const { providers, stderr } = await status();
  expect(providers.mine).toMatchObject({ status: 'healthy', detail: 'http://trusted:1' });
  expect(providers.theirs).toMatchObject({
    status: 'offline',
    reason: expect.stringContaining('base_url of the project file is not trusted yet'),
    hint: 'look at the file, then run: drivebay trust',
  });
  expect(stderr).toContain(
    'base_url of provider "mine" not used: this project file is not trusted yet; look at the file, then run: drivebay trust',
  );
});

test('where the state folder cannot be used, `trust` says so, and calls no configuration wrong', async () => {
  const link = `${home.directory}/nowhere`;
  symlinkSync(`${home.directory}/gone/deep`, link);
  const result = await home.runIn(project, ['trust'], { ...ask, XDG_STATE_HOME: link });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: the state folder ${link}/drivebay cannot be used: ${link} is a symbolic link that leads nowhere\n  choose another folder: export XDG_STATE_HOME=<absolute path>\n`,
  });
});

test('`trust` says what it allows, and from then on the fields count', async () => {
  const result = await home.runIn(project, ['trust'], ask);
  expect(result).toEqual({
    code: 0,
    stdout: `provider "mine" may set base_url\nprovider "theirs" may set base_url\ntrusted: ${projectFile}; a change of the file needs new trust\n`,
    stderr: '',
  });
  const { providers, stderr } = await status();
  expect(providers.mine).toMatchObject({ detail: 'http://evil:1' });
  expect(providers.theirs).toMatchObject({ status: 'healthy', detail: 'http://evil:2' });
  expect(stderr).toBe('');
});

test('a command that fails, or tells no notices, leaves the notice to the next one', async () => {
  const folder = `${home.directory}/later`;
  home.write(
    'later/.drivebay/providers.yaml',
    'version: "1"\nproviders: [{ name: x, driver: later, base_url: "http://evil:3" }]\n',
  );
  const plugin = home.plugin('later', {
    folder: 'plugins/later',
    code: withCheck(''),
    manifest: { options: { base_url: {} } },
  });
  const run = (more: Record<string, string>, ...words: string[]) => home.runIn(folder, words, more);
  const there = { DRIVEBAY_PLUGIN_PATH: plugin };
  expect((await run({}, 'providers', 'status')).stderr).toContain('no plug-in provides driver "later"');
  expect((await run(there, 'plugins', 'list')).stderr).not.toContain('this project sets');
  expect((await run(there, 'devices')).stderr).toContain('this project sets base_url of provider "x"');
  expect((await run(there, 'devices')).stderr).not.toContain('this project sets');
});
