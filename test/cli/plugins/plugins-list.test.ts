import { discoverPlugins } from '../../../core/plugins/discover';
import { PLUGIN_API_VERSION } from '../../../core/plugins/manifest';
import { COMMONJS } from '../../setup/driver-code';
import { type CliResult, runCli } from '../../setup/run-cli';
import { tempHome } from '../../setup/temp-home';

describe('plug-ins in every state', () => {
  const home = tempHome();
  let list: CliResult;
  let json: CliResult;

  beforeAll(async () => {
    home.plugin('parrot', { code: COMMONJS, manifest: { version: '1.2.3', summary: 'Repeats', aliases: ['polly'] } });
    home.plugin('owl', { code: 'throw new Error("was imported")', manifest: { kind: 'cli', summary: 'Sleeps' } });
    home.plugin('crow', { code: 'throw new Error("no beak")' });
    home.plugin('copy', {
      code: COMMONJS,
      folder: 'mine/copy',
      manifest: { driver: 'parrot', aliases: ['polly'], summary: 'Repeats louder' },
    });
    home.providers('name: a, driver: polly', 'name: b, driver: parrot', 'name: c, driver: crow');
    const env = home.environment({ DRIVEBAY_PLUGIN_PATH: `${home.directory}/mine` });
    [list, json] = await Promise.all([
      runCli(['plugins', 'list'], { env }),
      runCli(['plugins', 'list', '--json'], { env }),
    ]);
  });

  test('the table shows the kind, the state, the source and the providers of each', () => {
    expect([list.code, json.code]).toEqual([0, 0]);
    const lines = list.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Driver +Also called +Kind +Version +State +Source +Providers +Summary$/);
    const ours = lines.filter((line) => / (user|path) /.test(line)).map((line) => line.split(/ {2,}/));
    // The plug-in path goes before the user's folder.
    expect(ours).toEqual([
      ['polly', 'parrot', 'http', '-', 'ready', 'path', 'a, b', 'Repeats louder'],
      ['crow', '-', 'http', '-', 'failed', 'user', 'c', 'crow'],
      ['owl', '-', 'cli', '-', 'unused', 'user', '-', 'Sleeps'],
      ['polly', 'parrot', 'http', '1.2.3', 'shadowed', 'user', '-', 'Repeats'],
    ]);
    const states = lines.map((line) => line.indexOf(line.split(/ {2,}/)[4] ?? ''));
    expect(new Set(states).size).toBe(1);
  });

  test('stderr gives the reason of each that is failed or shadowed, with its folder', () => {
    expect(list.stderr.trimEnd().split('\n')).toEqual([
      `crow is failed: no beak (index.js:1:7) (${home.directory}/.config/drivebay/plugins/crow)`,
      `polly is shadowed: the driver name "parrot" belongs to ${home.directory}/mine/copy (${home.directory}/.config/drivebay/plugins/parrot)`,
    ]);
  });

  test('--json has all of it, and stderr is silent', () => {
    expect(json.stderr).toBe('');
    const { plugins } = JSON.parse(json.stdout) as { plugins: Record<string, unknown>[] };
    expect(plugins.find(({ state }) => state === 'shadowed')).toEqual({
      driver: 'parrot',
      aliases: ['polly'],
      kind: 'http',
      version: '1.2.3',
      api: PLUGIN_API_VERSION,
      state: 'shadowed',
      source: 'user',
      directory: `${home.directory}/.config/drivebay/plugins/parrot`,
      summary: 'Repeats',
      reason: `the driver name "parrot" belongs to ${home.directory}/mine/copy`,
      providers: [],
      hostApi: PLUGIN_API_VERSION,
    });
    expect(plugins.filter(({ source }) => source === 'bundled').map(({ driver }) => driver)).toEqual(
      discoverPlugins({ userPlugins: '/nowhere' }).map(({ driver }) => driver),
    );
  });
});

test('a part of the plug-in path without a plug-in is named', async () => {
  const home = tempHome();
  home.write('empty/manifest.jsn', '{}');
  const folder = (name: string) => `${home.directory}/${name}`;
  const env = home.environment({ DRIVEBAY_PLUGIN_PATH: `${folder('none')}:${folder('empty')}` });
  const { code, stderr } = await runCli(['plugins', 'list'], { env });
  expect([code, stderr]).toEqual([
    0,
    `warning: DRIVEBAY_PLUGIN_PATH: ${folder('none')} is no folder\n` +
      `warning: DRIVEBAY_PLUGIN_PATH: no manifest.json is in ${folder('empty')}, or in a folder of it\n`,
  ]);
});

test('a configuration with mistakes hides no plug-in', async () => {
  const home = tempHome();
  home.plugin('parrot', { code: COMMONJS });
  home.configure('version: "1"\nproviders: [\n');
  const { code, stdout, stderr } = await home.run('plugins', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^parrot +- +http +- +unused +user /m);
  expect(stderr).toBe('warning: the configuration has problems, so no plug-in is in use; see: drivebay config check\n');
});

test('the project folder is never searched: a cloned repository runs no code', async () => {
  const home = tempHome();
  const marker = 'process.stderr.write("was run");';
  home.plugin('evil', { folder: 'project/.drivebay/plugins/evil', code: marker });
  home.plugin('evil2', { folder: 'project/plugins/evil2', code: marker });
  home.plugin('evil3', { folder: 'project/node_modules/drivebay-driver-evil3', code: marker });
  home.write('project/.drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
  const { stdout, stderr } = await runCli(['plugins', 'list'], {
    env: home.environment(),
    cwd: `${home.directory}/project`,
  });
  expect(stdout + stderr).not.toMatch(/evil|was run/);
});
