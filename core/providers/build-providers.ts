import { keysIn } from '../config/addresses';
import type { Environment } from '../config/environment';
import type { LoadedConfig, ProviderEntry } from '../config/load';
import { placeOf } from '../config/located';
import { HOW_TO_TRUST } from '../config/trust-store';
import { DriverError } from '../contract/driver-error';
import type { Logger } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import type { Redactor } from '../contract/redact';
import { nameOrHidden } from '../contract/secrets';
import { bounded, formatPosition, type Problem } from '../errors';
import { HttpPool } from '../http/http-pool';
import { Proxies } from '../http/proxies';
import { createContext } from '../plugins/context';
import type { Plugin } from '../plugins/discover';
import { type KeptTable, sharedKeptTable } from '../plugins/kept-table';
import { asDriver } from '../plugins/load';
import type { PluginRegistry } from '../plugins/registry';
import { type ResolvedEntry, resolveEntry } from '../plugins/resolve-entry';
import { suggestDriver } from '../plugins/suggest-driver';
import type { LimitBook } from '../limits/limit-book';
import type { LedgerEntry } from '../record/ledger';
import type { ProviderEvent } from '../record/live-event';
import { Programs } from '../subprocess/programs';
import { PriceTables } from './price-tables';
import { hiddenVariables, keyVariables } from './hidden-variables';
import { accountOf } from './account-of';
import { changesOf, type MadeProvider, providerFacts } from './made-provider';
import { Provider } from './provider';
import type { RestBook } from './rest-book';
import type { Rehearsal } from './rehearsal';
import { type ProviderSettings, settingsOf } from './settings';

interface ProviderSurroundings {
  plugins: PluginRegistry;
  environment: Environment;
  redactor: Redactor;
  log: Logger;
  cacheDirectory: string;
  book?: (entry: LedgerEntry) => void;
  /** Variables with secrets of ours, which no program that a driver starts may see. */
  ownSecrets: ReadonlySet<string>;
  /** Told when the health of a provider changes. */
  report?: (provider: string, event: ProviderEvent) => void;
  /** Stops calls before they leave us, to show what they would be. */
  rehearsal?: Rehearsal;
  /** Absent: the one of the machine. */
  kept?: KeptTable;
  /** Absent: rests are not kept. */
  rests?: RestBook;
  /** Absent: nothing is limited. */
  limits?: LimitBook;
  /** The variables with keys of all providers, for those that are there already, too. They only become more. */
  keys?: Set<string>;
}

/**
 * Makes the providers of a configuration. Problems of entries are returned with their place, not thrown. `keys` are the variables
 * with keys of all of them; it grows when a driver looks one up. `earlier`: those of before a reload, by name. Those that would
 * be made the same way again are kept; a new one must hold none of them, or no reload would ever free a provider.
 */
export function buildProviders(
  {
    entries,
    repeated = [],
    priceTable,
  }: Pick<LoadedConfig, 'entries' | 'priceTable'> & Partial<Pick<LoadedConfig, 'repeated'>>,
  surroundings: ProviderSurroundings,
  earlier: ReadonlyMap<string, MadeProvider> = new Map(),
): { made: MadeProvider[]; tables: PriceTables; problems: Problem[]; warnings: Problem[] } {
  const { plugins, keys = new Set() } = surroundings;
  const known = new Set(plugins.list().flatMap(({ manifest }) => Object.keys(manifest?.options ?? {})));
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const made: MadeProvider[] = [];
  for (const name of keyVariables(entries, plugins)) keys.add(name);
  const tables = new PriceTables(surroundings.log, priceTable);
  for (const entry of [...entries, ...repeated]) {
    const plugin = plugins.find(entry.driver);
    if (!plugin) problems.push(explainUnknownDriver(entry, plugins));
    const resolved = resolveEntry(entry, plugin?.manifest, known);
    problems.push(...resolved.problems);
    warnings.push(...resolved.warnings.map((warning) => ({ ...warning, provider: entry.name })));
    if (!plugin || resolved.problems.length > 0 || repeated.includes(entry)) continue;
    const settings = { ...settingsOf(plugin, resolved, tables.of(entry)), account: accountOf(entry) };
    const facts = providerFacts(resolved, settings, surroundings.environment, tables.stampFor(entry));
    const before = earlier.get(entry.name);
    const isKept = before && changesOf(before, { plugin, facts }).length === 0;
    const device = isKept ? before.device : buildProvider(plugin, resolved, entry, settings, keys, surroundings);
    if (device.limits)
      device.limits.placeOf = (period) => formatPosition(placeOf(entry.fields, ['budget_usd', period]));
    made.push(isKept ? before : { device, plugin, facts });
  }
  // A program that books calls needs the prices soon. Another one reads them when it asks for them.
  const isNew = ({ device }: MadeProvider) => earlier.get(device.name)?.device !== device;
  if (surroundings.book && made.some(isNew)) tables.readSoon();
  return { made, tables, problems, warnings: [...warnings, ...tables.warnings] };
}

function buildProvider(
  plugin: Plugin,
  resolved: ResolvedEntry,
  entry: ProviderEntry,
  settings: ProviderSettings,
  keys: Set<string>,
  surroundings: ProviderSurroundings,
): Provider {
  const { plugins, environment, redactor, cacheDirectory, book, report, rehearsal } = surroundings;
  const { driver: options, held } = resolved;
  const { name } = resolved.common;
  const log = makeLogger((level, message, fields) =>
    surroundings.log[level](
      bounded(String(message), (text) => redactor.redact(text)),
      { provider: name, ...fields },
    ),
  );
  const ownKeys = new Set([options.api_key_env].filter((variable) => typeof variable === 'string'));
  const noteSecret = (variable: string): void => void [keys, ownKeys].forEach((names) => names.add(variable));
  for (const [option, { secret }] of Object.entries(plugin.manifest?.options ?? {})) {
    if (secret === true) for (const text of textsIn(options[option])) redactor.add(text);
  }
  for (const text of textsIn(options)) for (const key of keysIn(text)) redactor.add(key);
  const http = new HttpPool(undefined, rehearsal?.beforeSend, Proxies.in(environment.process));
  const programs = new Programs({
    environment: environment.process,
    hidden: hiddenVariables(keys, ownKeys, surroundings.ownSecrets),
    log,
    beforeStart: rehearsal?.beforeStart,
  });

  const kept = (surroundings.kept ?? sharedKeptTable()).of();

  async function makeDriver() {
    if (held.length > 0) {
      throw new DriverError('not_installed', `${held.join(', ')} of the project file is not trusted yet`, {
        kind: 'untrusted_project',
        hint: HOW_TO_TRUST,
      });
    }
    const factory = await plugins.factory(plugin);
    const own = { provider: name, driver: plugin.driver, options, log, http, programs, kept, noteSecret };
    return asDriver(await factory(createContext({ ...own, environment, redactor, cacheDirectory })));
  }

  return new Provider(settings, {
    makeDriver,
    http,
    programs,
    kept,
    redactor,
    log,
    book,
    rests: surroundings.rests?.of(entry),
    limits: surroundings.limits?.of({ type: 'provider', name }, resolved.common, settings.account),
    report: report && ((event) => report(name, event)),
  });
}

/** The texts of an option, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function explainUnknownDriver({ driver, path, place, fields }: ProviderEntry, plugins: PluginRegistry): Problem {
  return {
    place: fields.entries.get('driver')?.place ?? place,
    message: `${path}.driver: no plug-in provides driver ${nameOrHidden(driver)}`,
    hint: suggestDriver(driver, plugins.manifests()),
  };
}
