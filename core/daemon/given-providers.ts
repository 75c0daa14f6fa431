import type { LoadedConfig, ProviderEntry } from '../config/load';
import type { LocatedMap } from '../config/located';
import type { PluginRegistry } from '../plugins/registry';

/** Without any configuration file: the provider that a bundled manifest declares is the only one, and the default. */
export function withBuiltinProvider(config: LoadedConfig, plugins: PluginRegistry): LoadedConfig {
  const owner = plugins.list().find(({ source, manifest }) => source === 'bundled' && manifest?.builtinProvider);
  if (!owner?.manifest?.builtinProvider) return config;
  const { name, ...options } = owner.manifest.builtinProvider;
  const entry = givenEntry(name, owner.driver, options, `${owner.directory}/manifest.json`);
  return { ...config, entries: [entry], defaultProvider: { name, place: entry.place } };
}

/** Adds the provider of `serve --demo`. It answers under its name, and for every model nobody else has. */
export function withDemoProvider(config: LoadedConfig): LoadedConfig {
  if (config.entries.some(({ name }) => name === 'demo')) return config;
  const entry = givenEntry('demo', 'echo', { default_model: 'echo-1' }, '--demo');
  return {
    ...config,
    entries: [...config.entries, entry],
    defaultProvider: config.defaultProvider ?? { name: entry.name, place: entry.place },
  };
}

function givenEntry(name: string, driver: string, options: Record<string, unknown>, file: string): ProviderEntry {
  const place = { file };
  const fields: LocatedMap = { kind: 'map', place, entries: new Map() };
  for (const [option, value] of Object.entries({ name, driver, ...options })) {
    fields.entries.set(option, { kind: 'scalar', place, value: value as string | number });
  }
  return { name, driver, place, fields, path: name, held: [] };
}
