import type { CommonSettings } from '../config/schema';
import type { Plugin } from '../plugins/discover';
import { type Capabilities, type Manifest, manifestSchema } from '../plugins/manifest';
import type { ResolvedEntry } from '../plugins/resolve-entry';
import { fits } from '../plugins/zod-of';
import { ContextWindows, Prices } from '../prices/prices';
import type { PriceTable } from '../prices/price-table';
import type { Rates } from '../prices/rates';
import type { DriverKind } from '../record/process-event';

/** An agent CLI is a tree of processes for each call: a laptop bears four. */
const CLI_CONCURRENCY = 4;

/** Stands in for a manifest that cannot be read: the provider is shown, and offline. */
const UNREADABLE = { apiVersion: 1, driver: 'unreadable', kind: 'http', main: './unreadable' };

/** What the rest of the program may know of a provider, or of a route in its place. */
export interface ShownSettings {
  driver: string;
  /** The driver by the name that the entry has for it; where that is the manifest's own, by its first alias. */
  driverAlias: string;
  permissionOptions: readonly string[];
  /** Whether the program's own tools change files and run programs without asking. */
  actsWithoutAsking: boolean;
  /** Where the server is, without the parts of the address that may be a secret. */
  endpoint?: string;
  defaultModel?: string;
  /** The model of requests for embeddings that name none. */
  embeddingModel?: string;
  /** Whether the gateway lists every model that the backend offers. */
  listModels: boolean;
  /** The NAME of the variable with the API key: the entry's, or else the driver's own. */
  keyVariable?: string;
  /** Undefined or empty leaves it to the backend. */
  reasoningEffort?: string;
  /** Context window by model, in tokens. Its entries are those of the configuration, `get` knows the price table as well. */
  contextWindows: ReadonlyMap<string, number>;
}

/** The settings of a provider that core itself acts on. */
export interface ProviderSettings extends ShownSettings {
  name: string;
  account?: string;
  /** Where the driver's code is. */
  codeDirectory: string;
  driverKind: DriverKind;
  capabilities: Capabilities;
  /** Whether the driver declares the option; the level itself is never looked at. */
  takesReasoningEffort: boolean;
  mode: 'stream' | 'call';
  maxTokens: number;
  /** What a turn costs. */
  prices: Prices;
  timeoutSec: number;
  thinkingBudget?: number;
  /** How many calls may run at once; absent means no limit. */
  maxConcurrency?: number;
}

/** The base class of a provider: its settings are its fields. */
export const Configured = class {
  constructor(settings: ProviderSettings) {
    Object.assign(this, settings);
  }
} as new (settings: ProviderSettings) => Readonly<ProviderSettings>;

/** The settings of an entry that has no problem. */
export function settingsOf(
  plugin: Plugin,
  { common, driver: options }: ResolvedEntry,
  table?: PriceTable,
): ProviderSettings {
  const manifest = plugin.manifest ?? manifestSchema.parse(UNREADABLE);
  const { api_key_env, base_url, embedding_model, reasoning_effort, thinking_budget } = options;
  const sellers = sellersOf(common.name, manifest, base_url);
  const prices = new Prices({ models: ratesIn(common), table, sellers, costPerToken: common.cost_per_token });
  return {
    name: common.name,
    driver: plugin.driver,
    driverAlias: common.driver === plugin.driver ? (manifest.aliases[0] ?? plugin.driver) : common.driver,
    codeDirectory: plugin.codeDirectory,
    driverKind: manifest.kind,
    capabilities: capabilitiesOf(manifest, options),
    takesReasoningEffort: Object.hasOwn(manifest.options, 'reasoning_effort'),
    permissionOptions: manifest.permissionOptions,
    actsWithoutAsking: manifest.actsWithoutAsking !== undefined && fits(manifest.actsWithoutAsking, options),
    endpoint: typeof base_url === 'string' ? plainAddress(base_url) : undefined,
    defaultModel: common.default_model || undefined,
    embeddingModel: textOf(embedding_model) || undefined,
    keyVariable: textOf(api_key_env) || undefined,
    listModels: common.list_models,
    mode: common.mode,
    maxTokens: common.max_tokens,
    prices,
    timeoutSec: common.timeout_sec,
    reasoningEffort: textOf(reasoning_effort),
    thinkingBudget: typeof thinking_budget === 'number' ? thinking_budget : undefined,
    contextWindows: new ContextWindows(windowsIn(common), prices),
    maxConcurrency: common.max_concurrency ?? (manifest.kind === 'cli' ? CLI_CONCURRENCY : undefined),
  };
}

function windowsIn({ models }: CommonSettings): [string, number][] {
  return Object.entries(models).flatMap(([model, { context_window: window }]) =>
    window === undefined ? [] : [[model, window]],
  );
}

function ratesIn({ models }: CommonSettings): Map<string, Rates> {
  const rates = Object.entries(models).flatMap<[string, Rates]>(([model, { usd_per_mtok: usd }]) => {
    if (!usd) return [];
    const { input, output, cached_input: cachedInput, cache_write: cacheWrite, long_cache_write: longCacheWrite } = usd;
    const { audio_input: audioInput, audio_output: audioOutput, image_output: imageOutput } = usd;
    const others = { audioInput, audioOutput, imageOutput };
    return [[model, { input, output, cachedInput, cacheWrite, longCacheWrite, ...others }]];
  });
  return new Map(rates);
}

function capabilitiesOf(
  { capabilities, withoutCapabilities }: Manifest,
  options: Record<string, unknown>,
): Capabilities {
  if (!withoutCapabilities || !fits(withoutCapabilities.options, options)) return capabilities;
  return { ...capabilities, ...Object.fromEntries(withoutCapabilities.names.map((name) => [name, false])) };
}

function textOf(option: unknown): string | undefined {
  return typeof option === 'string' ? option : undefined;
}

/** An address may hold a user, a password or a token: only its origin and path are shown. */
function plainAddress(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/$/, '');
}

/**
 * The sellers of a provider's models, as price tables put them before the name of a model (`seller/model`): the provider by its
 * own name, its driver by its names, and the words of the address of its server.
 */
function sellersOf(name: string, { driver, aliases }: Manifest, address: unknown): string[] {
  return [...new Set([name, ...aliases, driver, ...wordsOf(address)])];
}

/** Of `api.vendor.com` both `api` and `vendor`; the last word says what kind of owner it has. */
function wordsOf(address: unknown): string[] {
  if (typeof address !== 'string' || !URL.canParse(address)) return [];
  const { hostname } = new URL(address);
  return /^[\d.]+$|:/.test(hostname) ? [] : hostname.split('.').slice(0, -1);
}
