import type { ProviderEntry } from '../config/load';
import { valueOf } from '../config/located';
import type { PluginRegistry } from '../plugins/registry';

/** The variables that the programs of a provider must not see: an agent obeys texts, and may pass on any variable. */
export function hiddenVariables(
  ownKey: unknown,
  entries: readonly ProviderEntry[],
  plugins: PluginRegistry,
  secrets: ReadonlySet<string>,
): Pick<ReadonlySet<string>, 'has'> {
  const hidden = new Set(keyVariables(entries, plugins).filter((name) => name !== ownKey));
  // A listener that opens later may add a secret.
  return { has: (name) => hidden.has(name) || secrets.has(name) };
}

/** The variables that hold the keys of providers: those the entries name, else those of their drivers. */
export function keyVariables(entries: readonly ProviderEntry[], plugins: PluginRegistry): string[] {
  const names = entries.map(({ driver, fields }) => {
    const set = fields.entries.get('api_key_env');
    return set ? valueOf(set) : plugins.find(driver)?.manifest?.options.api_key_env?.default;
  });
  return [...new Set(names)].filter((name): name is string => typeof name === 'string' && name !== '');
}
