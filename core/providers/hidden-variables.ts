import type { ProviderEntry } from '../config/load';
import { valueOf } from '../config/located';
import type { PluginRegistry } from '../plugins/registry';

/**
 * The variables that a provider's programs must not see: secrets of ours, and the keys of all other providers. An agent
 * does what a text tells it, and may hand on whatever stands in its environment.
 */
export function hiddenVariables(
  ownKey: unknown,
  entries: readonly ProviderEntry[],
  plugins: PluginRegistry,
  secrets: ReadonlySet<string>,
): Pick<ReadonlySet<string>, 'has'> {
  const hidden = new Set(namedVariables({ entries }, plugins).filter((name) => name !== ownKey));
  // Listeners that are opened later may have keys of their own.
  return { has: (name) => hidden.has(name) || secrets.has(name) };
}

/** The variables that hold the providers' keys: those the entries name, else those of their drivers. */
export function namedVariables({ entries }: { entries: readonly ProviderEntry[] }, plugins: PluginRegistry): string[] {
  const names = entries.map(({ driver, fields }) => {
    const set = fields.entries.get('api_key_env');
    return set ? valueOf(set) : plugins.find(driver)?.manifest?.options.api_key_env?.default;
  });
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as string[];
}
