import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../core/package';
import { discoverPlugins, type Plugin } from '../../core/plugins/discover';
import { TempHome } from '../setup/temp-home';

const homes: TempHome[] = [];
afterAll(() => homes.forEach((home) => home.remove()));

/** A home with plug-ins in it; nothing of their code is ever run. */
class PluginHome extends TempHome {
  constructor() {
    super();
    homes.push(this);
  }

  add(folder: string, driver: string, manifest: Record<string, unknown> = {}): string {
    return this.plugin(driver, { folder, manifest, code: 'throw new Error("discovery ran this")' });
  }

  /** Everything but what comes with drivebay, with paths below the home. */
  discover({ path = [] as string[], examples = false } = {}): Plugin[] {
    return discoverPlugins({
      pluginPath: path.map((folder) => (folder && join(this.directory, folder)) || folder).join(delimiter),
      userPlugins: join(this.directory, 'user'),
      examples,
    })
      .filter(({ source }) => source === 'path' || source === 'user')
      .map((plugin) => ({ ...plugin, directory: plugin.directory.replace(`${this.directory}/`, '') }));
  }
}

const brief = (plugins: Plugin[]) =>
  plugins.map(({ driver, source, directory, state }) => [driver, source, directory, state]);

describe('where plug-ins are found', () => {
  test('every folder of plugins/ that comes with drivebay, first', () => {
    const bundled = readdirSync(join(packageRoot, 'plugins'))
      .filter((name) => name !== '_shared')
      .sort();
    const found = discoverPlugins({ userPlugins: '/nowhere' });
    expect(found.map(({ directory }) => directory)).toEqual(bundled.map((name) => join(packageRoot, 'plugins', name)));
    expect(found.every(({ source, state }) => source === 'bundled' && state === 'unused')).toBe(true);
  });

  test('docs/examples, only when asked for', () => {
    const found = (examples: boolean) =>
      discoverPlugins({ userPlugins: '/nowhere', examples }).map(({ source }) => source);
    expect(found(true)).toContain('example');
    expect(found(false)).not.toContain('example');
  });

  test('folders on the plug-in path, in its order: a plug-in, or its children by name; empty and missing ones do not count', () => {
    const home = new PluginHome();
    for (const driver of ['zebra', 'ant']) home.add(`mine/${driver}`, driver);
    home.add('work/driver-parrot', 'parrot');
    expect(brief(home.discover({ path: ['work/driver-parrot', '', 'missing', 'mine'] }))).toEqual([
      ['parrot', 'path', 'work/driver-parrot', 'unused'],
      ['ant', 'path', 'mine/ant', 'unused'],
      ['zebra', 'path', 'mine/zebra', 'unused'],
    ]);
  });

  test('the user folder: children, packages, scoped packages and linked ones in its node_modules', () => {
    const home = new PluginHome();
    home.add('user/parrot', 'parrot');
    home.add('user/node_modules/drivebay-driver-owl', 'owl');
    home.add('user/node_modules/@birds/drivebay-driver-crow', 'crow');
    home.add('user/node_modules/other-name', 'jay');
    home.add('work/driver-emu', 'emu');
    symlinkSync(join(home.directory, 'work/driver-emu'), join(home.directory, 'user/node_modules/@birds/emu'));
    expect(brief(home.discover())).toEqual([
      ['crow', 'user', 'user/node_modules/@birds/drivebay-driver-crow', 'unused'],
      ['emu', 'user', 'user/node_modules/@birds/emu', 'unused'],
      ['owl', 'user', 'user/node_modules/drivebay-driver-owl', 'unused'],
      ['jay', 'user', 'user/node_modules/other-name', 'unused'],
      ['parrot', 'user', 'user/parrot', 'unused'],
    ]);
  });

  test('nowhere else: deeper folders, hidden files, dangling links, loops and other manifests are no plug-ins', () => {
    const home = new PluginHome();
    home.add('user/group/deep', 'deep');
    home.write('user/manifest.json.bak', '{}');
    home.write('user/plain-file', '');
    home.write('user/empty/readme.md', '');
    home.write('user/node_modules/web-app/manifest.json', '{"name": "A web app", "start_url": "/"}');
    home.write('user/node_modules/broken/manifest.json', '{');
    mkdirSync(join(home.directory, 'user/odd/manifest.json'), { recursive: true });
    symlinkSync('/nowhere/at/all', join(home.directory, 'user/dangling'));
    symlinkSync(join(home.directory, 'user/loop'), join(home.directory, 'user/loop'));
    home.add('user/last', 'last');
    expect(brief(home.discover())).toEqual([['last', 'user', 'user/last', 'unused']]);
  });
});

describe('a driver name belongs to the plug-in that is found first', () => {
  test('the others are shadowed and say by which folder', () => {
    const home = new PluginHome();
    home.add('first/parrot', 'parrot');
    home.add('second/parrot', 'parrot');
    home.add('user/anything', 'parrot');
    const found = home.discover({ path: ['first', 'second'] });
    expect(brief(found)).toEqual([
      ['parrot', 'path', 'first/parrot', 'unused'],
      ['parrot', 'path', 'second/parrot', 'shadowed'],
      ['parrot', 'user', 'user/anything', 'shadowed'],
    ]);
    const reason = `the driver name "parrot" belongs to ${home.directory}/first/parrot`;
    expect(found.map((plugin) => plugin.reason)).toEqual([undefined, reason, reason]);
  });

  test('what comes with drivebay cannot be replaced', () => {
    const home = new PluginHome();
    const [bundled] = discoverPlugins({ userPlugins: '/nowhere' });
    if (!bundled) throw new Error('this test needs a bundled plug-in');
    home.add('mine/copy', bundled.driver);
    expect(brief(home.discover({ path: ['mine'] }))).toEqual([[bundled.driver, 'path', 'mine/copy', 'shadowed']]);
  });
});

describe('what is known of a plug-in before its code runs', () => {
  test('a broken manifest is `failed` with the reason, under the name of its folder', () => {
    const home = new PluginHome();
    home.write('user/parrot/manifest.json', '{"apiVersion": 1');
    home.write('user/node_modules/drivebay-driver-owl/manifest.json', '{}');
    home.add('user/zebra', 'zebra');
    const found = home.discover();
    expect(found.map(({ driver, state }) => [driver, state])).toEqual([
      ['owl', 'failed'],
      ['parrot', 'failed'],
      ['zebra', 'unused'],
    ]);
    expect(found[0]?.reason).toMatch(/^manifest\.json is not valid: .*driver/);
    expect(found[1]?.reason).toMatch(/^manifest\.json is not JSON/);
  });

  test('its version is the manifest’s, else that of package.json, else nothing', () => {
    const home = new PluginHome();
    home.add('user/a', 'a', { version: '3.0.0' });
    home.write('user/a/package.json', '{"version": "1.0.0"}');
    home.add('user/b', 'b');
    home.write('user/b/package.json', '{"version": "2.0.0"}');
    home.add('user/c', 'c');
    home.add('user/d', 'd');
    home.write('user/d/package.json', '{broken');
    expect(home.discover().map(({ driver, version }) => [driver, version])).toEqual([
      ['a', '3.0.0'],
      ['b', '2.0.0'],
      ['c', undefined],
      ['d', undefined],
    ]);
  });
});
