import { join } from 'node:path';
import { discoverPlugins } from '../../core/plugins/discover';
import { PluginRegistry } from '../../core/plugins/registry';
import { COMMONJS } from '../setup/driver-code';
import { type TempHome, tempHome } from '../setup/temp-home';

interface Written {
  driver: string;
  folder?: string;
  code?: string;
  manifest?: Record<string, unknown>;
}

/** The registry of the plug-ins written, and the bundled ones. */
function registryOf(...plugins: Written[]): { registry: PluginRegistry; home: TempHome } {
  const home = tempHome();
  for (const { driver, folder = driver, code = COMMONJS, manifest = {} } of plugins) {
    home.plugin(driver, { folder: `user/${folder}`, code, manifest });
  }
  const found = discoverPlugins({ userPlugins: join(home.directory, 'user') });
  return { registry: new PluginRegistry(found), home };
}

function find(registry: PluginRegistry, name: string) {
  const plugin = registry.find(name);
  if (!plugin) throw new Error(`no plug-in ${name}`);
  return plugin;
}

describe('names', () => {
  test('a plug-in is found by its driver name and by each alias', () => {
    const { registry } = registryOf({ driver: 'parrot', manifest: { aliases: ['polly', 'ara'] } });
    expect(registry.find('polly')).toBe(find(registry, 'parrot'));
    expect(registry.find('ara')).toBe(find(registry, 'parrot'));
  });

  const named = (driver: string, alias: string, folder = driver) => ({
    driver,
    folder,
    manifest: { aliases: [alias] },
  });

  test.each<[string, Written[], string, string | undefined]>([
    ['a driver name goes before the alias of another plug-in', [named('ant', 'bee'), { driver: 'bee' }], 'bee', 'bee'],
    ['the first of two plug-ins has their alias', [named('ant', 'insect'), named('bee', 'insect')], 'insect', 'ant'],
    [
      'the names of a shadowed plug-in do not count',
      [{ driver: 'parrot' }, named('parrot', 'polly', 'z')],
      'polly',
      undefined,
    ],
    ...['owl', 'constructor', '__proto__', 'toString', ''].map((name): [string, Written[], string, undefined] => [
      `no plug-in is called "${name}"`,
      [],
      name,
      undefined,
    ]),
  ])('%s', (_, plugins, name, driver) => {
    expect(registryOf(...plugins).registry.find(name)?.driver).toBe(driver);
  });
});

describe('states', () => {
  test('a plug-in is `ready` once its code is there, and its code runs once', async () => {
    const code = `globalThis.imports = (globalThis.imports ?? 0) + 1; module.exports = () => globalThis.imports;`;
    const { registry } = registryOf({ driver: 'parrot', code });
    const plugin = find(registry, 'parrot');
    const [first, second] = await Promise.all([registry.factory(plugin), registry.factory(plugin)]);
    expect(first).toBe(second);
    expect((first as unknown as () => number)()).toBe(1);
    expect(plugin).toMatchObject({ state: 'ready' });
    expect(plugin.reason).toBeUndefined();
  });

  test('a plug-in whose code fails is `failed`, gives the reason at each attempt, and is named with its folder', async () => {
    const { registry, home } = registryOf({ driver: 'parrot', code: 'throw new Error("no beak\\nand more")' });
    const plugin = find(registry, 'parrot');
    const message = `plug-in ${home.directory}/user/parrot failed to load: no beak \\(index.js:1:\\d+\\)`;
    await expect(registry.factory(plugin)).rejects.toThrow(new RegExp(`^${message}$`));
    await expect(registry.factory(plugin)).rejects.toThrow(new RegExp(message));
    expect(plugin).toMatchObject({ state: 'failed', reason: expect.stringMatching(/^no beak/) });
  });
});
