import type { Environment } from '../config/environment';
import type { LoadedConfig, ProviderEntry } from '../config/load';
import { suggestName } from '../config/suggest-name';
import { commonSchema } from '../config/schema';
import type { Problem } from '../errors';
import type { ProviderEvent } from '../record/live-event';
import { HttpPool } from '../http/http-pool';
import type { Logger } from '../contract/api';
import { createContext } from '../plugins/context';
import type { Plugin } from '../plugins/discover';
import { DriverError } from '../contract/driver-error';
import { asDriver } from '../plugins/load';
import { manifestSchema } from '../plugins/manifest';
import { resolveOptions, resolveWithoutManifest, type ResolvedOptions } from '../plugins/options';
import type { PluginRegistry } from '../plugins/registry';
import { makeLogger } from '../contract/make-logger';
import type { Redactor } from '../contract/redact';
import type { LedgerEntry } from '../record/ledger';
import { Programs } from '../subprocess/programs';
import { ONCE } from '../config/parse-once';
import { hiddenVariables } from './hidden-variables';
import { Provider } from './provider';
import type { Rehearsal } from './rehearsal';
import type { ProviderSettings } from './settings';

export interface Surroundings {
  plugins: PluginRegistry;
  environment: Environment;
  redactor: Redactor;
  log: Logger;
  cacheDirectory: string;
  /** Takes what each turn used; absent where nobody keeps books. */
  book?: ((entry: LedgerEntry) => void) | undefined;
  /** Variables with secrets of ours, which no program that a driver starts may see. */
  ownSecrets: ReadonlySet<string>;
  /** Told when the health of a provider changes; absent: nobody watches. */
  report?: ((provider: string, event: ProviderEvent) => void) | undefined;
  /** Stops calls before they happen, to show what they are; absent: they happen. */
  rehearsal?: Rehearsal | undefined;
}

/** Makes the providers of a configuration; what stands in the way is returned with its place, not thrown. */
export function buildProviders(
  config: LoadedConfig,
  surroundings: Surroundings,
): { providers: Provider[]; problems: Problem[]; warnings: Problem[] } {
  const { plugins } = surroundings;
  const known = new Set(plugins.list().flatMap(({ manifest }) => Object.keys(manifest?.options ?? {})));
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const providers: Provider[] = [];
  for (const entry of config.entries) {
    const plugin = plugins.find(entry.driver);
    if (!plugin) problems.push(explainUnknownDriver(entry, plugins));
    const options = plugin?.manifest ? resolveOptions(entry, plugin.manifest, known) : resolveWithoutManifest(entry);
    problems.push(...options.problems);
    warnings.push(...options.warnings);
    if (plugin && options.problems.length === 0)
      providers.push(buildProvider(entry, plugin, options, config, surroundings));
  }
  return { providers, problems, warnings };
}

function buildProvider(
  entry: ProviderEntry,
  plugin: Plugin,
  { common, driver: options, held }: ResolvedOptions,
  { entries }: LoadedConfig,
  surroundings: Surroundings,
): Provider {
  const { plugins, environment, redactor, cacheDirectory, book, report, rehearsal } = surroundings;
  const log = makeLogger((level, message, fields) =>
    surroundings.log[level](message, { provider: entry.name, ...fields }),
  );
  const http = new HttpPool(undefined, rehearsal?.beforeSend);
  const hidden = hiddenVariables(options.api_key_env, entries, plugins, surroundings.ownSecrets);
  const programs = new Programs({
    environment: environment.process,
    hidden,
    log,
    beforeStart: rehearsal?.beforeStart,
  });

  async function makeDriver() {
    if (held.length > 0) {
      throw new DriverError('not_installed', `${held.join(', ')} of the project file is not trusted yet`, {
        kind: 'untrusted_project',
        hint: 'look at the file, then run: drivebay trust',
      });
    }
    const factory = await plugins.factory(plugin);
    const driver = plugin.driver;
    const context = createContext({
      provider: entry.name,
      driver,
      options,
      environment,
      redactor,
      log,
      http,
      programs,
      cacheDirectory,
    });
    return asDriver(await factory(context));
  }

  return new Provider(settingsOf(entry, plugin, common, options), {
    makeDriver,
    http,
    programs,
    redactor,
    log,
    book,
    report: report && ((event) => report(entry.name, event)),
  });
}

function settingsOf(
  { name }: ProviderEntry,
  plugin: Plugin,
  common: Record<string, unknown>,
  options: Record<string, unknown>,
): ProviderSettings {
  const manifest = plugin.manifest ?? manifestSchema.parse(PLACEHOLDER);
  // Validated before, option by option; this adds the defaults and the types.
  const set = commonSchema.parse(common, ONCE);
  const maxConcurrency = set.max_concurrency ?? (manifest.kind === 'cli' ? CLI_CONCURRENCY : undefined);
  return {
    name,
    driver: plugin.driver,
    codeDirectory: plugin.codeDirectory,
    driverKind: manifest.kind,
    capabilities: manifest.capabilities,
    takesReasoningEffort: Object.hasOwn(manifest.options, 'reasoning_effort'),
    permissionOptions: manifest.permissionOptions,
    mode: set.mode,
    maxTokens: set.max_tokens,
    costPerToken: set.cost_per_token,
    timeoutSec: set.timeout_sec,
    contextWindows: new Map(Object.entries(set.models).map(([model, { context_window }]) => [model, context_window])),
    ...(set.default_model && { defaultModel: set.default_model }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(typeof options.api_key_env === 'string' && options.api_key_env && { keyVariable: options.api_key_env }),
    ...(typeof options.base_url === 'string' && { endpoint: plainAddress(options.base_url) }),
    ...(typeof options.reasoning_effort === 'string' && { reasoningEffort: options.reasoning_effort }),
    ...(typeof options.thinking_budget === 'number' && { thinkingBudget: options.thinking_budget }),
  };
}

/** Some put a user, a password or a token into an address. */
function plainAddress(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/$/, '');
}

/** Each agent CLI is a process tree of its own: four at once are what a laptop bears. */
const CLI_CONCURRENCY = 4;

/** Stands in for a manifest that cannot be read: the provider is shown, and offline. */
const PLACEHOLDER = { apiVersion: 1, driver: 'unreadable', kind: 'http', main: './unreadable' };

function explainUnknownDriver(entry: ProviderEntry, plugins: PluginRegistry): Problem {
  const names = plugins.names();
  return {
    place: entry.fields.entries.get('driver')?.place ?? entry.place,
    message: `${entry.path}.driver: no plug-in provides driver "${entry.driver}"`,
    hint: suggestName(entry.driver, names, `drivers: ${names.join(', ')}`),
  };
}
