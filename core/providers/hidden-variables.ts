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
  secrets: readonly string[],
): Set<string> {
  const hidden = new Set(secrets);
  for (const { driver, fields } of entries) {
    const set = fields.entries.get('api_key_env');
    const name = set ? valueOf(set) : plugins.find(driver)?.manifest?.options.api_key_env?.default;
    if (typeof name === 'string' && name !== ownKey) hidden.add(name);
  }
  return hidden;
}
