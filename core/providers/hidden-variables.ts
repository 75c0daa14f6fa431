import type { ProviderEntry } from '../config/load';
import { valueOf } from '../config/located';
import type { PluginRegistry } from '../plugins/registry';

/**
 * The variables that the programs of a provider must not see: an agent obeys texts, and may pass on any variable. `keys`
 * are the variables of all providers, `own` those of this one. Both grow when a driver looks a key up.
 */
export function hiddenVariables(
  keys: ReadonlySet<string>,
  own: ReadonlySet<string>,
  secrets: ReadonlySet<string>,
): Pick<ReadonlySet<string>, 'has' | 'size'> {
  return {
    has: (name) => secrets.has(name) || (keys.has(name) && !own.has(name)),
    // Changes with each new name: a listener that opens later may add a secret.
    get size() {
      return secrets.size + keys.size + own.size;
    },
  };
}

/** The variables that hold the keys of providers: those the entries name, else those of their drivers. */
export function keyVariables(entries: readonly ProviderEntry[], plugins: PluginRegistry): string[] {
  const names = entries.map(({ driver, fields }) => {
    const set = fields.entries.get('api_key_env');
    return set ? valueOf(set) : plugins.find(driver)?.manifest?.options.api_key_env?.default;
  });
  return [...new Set(names)].filter((name): name is string => typeof name === 'string' && name !== '');
}
