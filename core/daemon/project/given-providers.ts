import { join } from 'node:path';
import { givenEntry } from '../../config/given-entry';
import type { LoadedConfig, ProviderEntry } from '../../config/load';
import type { Plugin } from '../../plugins/discover';
import type { PluginRegistry } from '../../plugins/registry';

/** Without any configuration file: the provider that a bundled manifest declares is the only one, and the default. */
export function withBuiltinProvider(config: LoadedConfig, plugins: PluginRegistry): LoadedConfig {
  const entry = declaredEntry(plugins, 'bundled');
  if (!entry) return config;
  return { ...config, entries: [entry], defaultProvider: { name: entry.name, place: entry.place } };
}

/** Who works for agents where flags and agent.yaml choose nobody. */
export interface StandardProvider {
  name: string;
  decidedBy: 'default_provider' | 'built-in';
  /** Where it is none of the configuration's: then agents alone have it, and neither gateway nor tools. */
  entry?: ProviderEntry;
}

/** The default of the configuration; without one the built-in provider, or the user's own of that name. */
export function chooseStandard(config: LoadedConfig, plugins: PluginRegistry): StandardProvider | undefined {
  const { defaultProvider, entries, found } = config;
  if (defaultProvider) return { name: defaultProvider.name, decidedBy: found ? 'default_provider' : 'built-in' };
  const entry = declaredEntry(plugins, 'bundled');
  if (!entry) return undefined;
  const isConfigured = entries.some(({ name }) => name === entry.name);
  return { name: entry.name, decidedBy: 'built-in', ...(!isConfigured && { entry }) };
}

/** Adds the provider of `serve --demo`. It answers under its name, and for every model nobody else has. */
export function withDemoProvider(config: LoadedConfig, plugins: PluginRegistry): LoadedConfig {
  const entry = declaredEntry(plugins, 'example');
  if (!entry || config.entries.some(({ name }) => name === entry.name)) return config;
  return {
    ...config,
    entries: [...config.entries, entry],
    defaultProvider: config.defaultProvider ?? { name: entry.name, place: entry.place },
  };
}

/** The provider that a manifest of ours declares: no code names a driver, nor the provider that stands on it. */
function declaredEntry(plugins: PluginRegistry, source: Plugin['source']): ProviderEntry | undefined {
  const owner = plugins.list().find((plugin) => plugin.source === source && plugin.manifest?.builtinProvider);
  if (!owner?.manifest?.builtinProvider) return undefined;
  const fields = { ...owner.manifest.builtinProvider, driver: owner.driver };
  return givenEntry(fields, join(owner.directory, 'manifest.json'));
}
