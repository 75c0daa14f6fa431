import { givenEntry } from '../../config/given-entry';
import type { LoadedConfig, ProviderEntry } from '../../config/load';
import type { Plugin } from '../../plugins/discover';
import type { PluginRegistry } from '../../plugins/registry';

// Providers that no configuration file has: a bundled manifest declares them, so that no code of core names a driver.

/** Their place in messages: the manifest is a file of the program, which no user edits. */
const BUILT_IN = 'built in';

/** Without any configuration file the built-in provider is the only one, and the default. */
export function withBuiltinProvider(config: LoadedConfig, plugins: PluginRegistry): LoadedConfig {
  const entry = declaredEntry(plugins, 'bundled');
  if (!entry) return config;
  return { ...config, entries: [entry], defaultProvider: { name: entry.name, place: entry.place } };
}

/** The provider of agents where neither flags nor agent.yaml name one. */
export interface StandardProvider {
  name: string;
  decidedBy: 'default_provider' | 'built-in';
  /** Set where the configuration does not have the provider: then only agents use it, not the gateway and not tools. */
  entry?: ProviderEntry;
}

/** The default of the configuration; else the built-in provider, or the user's own provider of that name. */
export function chooseStandard(config: LoadedConfig, plugins: PluginRegistry): StandardProvider | undefined {
  const { defaultProvider, entries, found } = config;
  if (defaultProvider) return { name: defaultProvider.name, decidedBy: found ? 'default_provider' : 'built-in' };
  const entry = declaredEntry(plugins, 'bundled');
  if (!entry) return undefined;
  const isConfigured = entries.some(({ name }) => name === entry.name);
  return { name: entry.name, decidedBy: 'built-in', entry: isConfigured ? undefined : entry };
}

/** Adds the provider of `serve --demo`. It answers under its name, and for every model without another provider. */
export function withDemoProvider(config: LoadedConfig, plugins: PluginRegistry): LoadedConfig {
  const entry = declaredEntry(plugins, 'example');
  if (!entry || [...config.entries, ...config.routes].some(({ name }) => name === entry.name)) return config;
  return {
    ...config,
    entries: [...config.entries, entry],
    defaultProvider: config.defaultProvider ?? { name: entry.name, place: entry.place },
  };
}

function declaredEntry(plugins: PluginRegistry, source: Plugin['source']): ProviderEntry | undefined {
  const owner = plugins.list().find((plugin) => plugin.source === source && plugin.manifest?.builtinProvider);
  if (!owner?.manifest?.builtinProvider) return undefined;
  const fields = { ...owner.manifest.builtinProvider, driver: owner.driver };
  return givenEntry(fields, BUILT_IN);
}
