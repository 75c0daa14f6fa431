import { createHash } from 'node:crypto';
import type { Environment } from '../config/environment';
import type { Plugin } from '../plugins/discover';
import type { ResolvedEntry } from '../plugins/resolve-entry';
import { changedFacts, type Facts, factsOf, type Made } from './facts';
import type { Provider } from './provider';
import type { ProviderSettings } from './settings';

const SETTINGS = 'the settings of its driver';

export interface MadeProvider extends Made<Provider> {
  plugin: Plugin;
}

/** The whole entry with its defaults, and what else shapes the provider. */
export function providerFacts(
  { common, driver, held }: ResolvedEntry,
  settings: ProviderSettings,
  environment: Pick<Environment, 'get' | 'isFromFile'>,
  priceTable: string | undefined,
): Facts {
  // Prices come from options and from the table, which are compared themselves.
  const { keyVariable, prices: _prices, contextWindows: _windows, ...core } = settings;
  const { name: _, ...options } = { ...common, ...driver };
  const waiting = held.length > 0 ? { 'the trust of the project file': held } : {};
  const key = keyVariable === undefined ? {} : { [`the value of ${keyVariable}`]: keyPrint(keyVariable, environment) };
  return factsOf({ ...options, ...waiting, ...key, 'the price table': priceTable, [SETTINGS]: core });
}

/** Another key of a file is another account. What a terminal has brought is no change of the configuration. */
function keyPrint(name: string, environment: Pick<Environment, 'get' | 'isFromFile'>): string | undefined {
  if (!environment.isFromFile(name)) return undefined;
  return createHash('sha256').update(environment.get(name)!.value).digest('hex');
}

/** What made a provider another one, for the user. */
export function changesOf(before: MadeProvider, after: Omit<MadeProvider, 'device'>): string[] {
  const changed = changedFacts(before.facts, after.facts);
  if (before.plugin !== after.plugin) return [...changed.filter((name) => name !== SETTINGS), 'its plug-in'];
  // Each option shapes the settings, so they say something new only alone.
  return changed.length > 1 ? changed.filter((name) => name !== SETTINGS) : changed;
}
