import { setImmediate as nextRound } from 'node:timers/promises';
import { type Fields, isFields } from '../fields';
import type { Rates, Tier, Tiers } from './rates';

/** What a price table knows of a model. */
export interface TableEntry {
  /** Absent: tokens have no price there, as with models of images. */
  tiers?: Tiers;
  contextWindow?: number;
  /** How many tokens an answer can have. */
  mostOutput?: number;
}

/** The names of the table, in dollars per token. */
const NAMES: Readonly<Record<string, keyof Rates>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cachedInput',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'longCacheWrite',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'audioInput',
  output_cost_per_audio_token: 'audioOutput',
  output_cost_per_image_token: 'imageOutput',
};
/** `input_cost_per_token_above_200k_tokens`: the price where the input has more tokens than that. */
const TIER = /^(\w+?)_above_(\d+)(k?)_tokens$/;
const PER = 1_000_000;
/** The table has thousands of models: requests have their turn in between. */
const MODELS_PER_ROUND = 200;

/** Reads the table of model prices that the community keeps, as it is: an object with a model in each field. */
export async function readTable(table: Fields): Promise<Map<string, TableEntry>> {
  const models = new Map<string, TableEntry>();
  let count = 0;
  for (const [name, fields] of Object.entries(table)) {
    if (++count % MODELS_PER_ROUND === 0) await nextRound();
    const entry = isFields(fields) ? readEntry(fields) : {};
    if (entry.tiers || entry.contextWindow !== undefined) models.set(name, entry);
  }
  return models;
}

function readEntry(fields: Fields): TableEntry {
  const tiers = readTiers(fields);
  // An old entry has one limit, for input or for output.
  const contextWindow = limitOf(fields.max_input_tokens) ?? limitOf(fields.max_tokens);
  const mostOutput = limitOf(fields.max_output_tokens) ?? limitOf(fields.max_tokens);
  return { tiers, contextWindow, mostOutput };
}

function readTiers(fields: Fields): Tiers | undefined {
  const base = readRates(fields);
  const steps = new Map<number, Partial<Rates>>();
  const add = (above: number, rates: Partial<Rates>) => void steps.set(above, { ...steps.get(above), ...rates });
  for (const [name, value] of Object.entries(fields)) {
    const [, kind = '', number, thousand] = TIER.exec(name) ?? [];
    if (Object.hasOwn(NAMES, kind)) add(Number(number) * (thousand ? 1000 : 1), rateOf(NAMES[kind]!, value));
  }
  // The other way to write the same: a list of ranges, with the prices of each.
  for (const range of Array.isArray(fields.tiered_pricing) ? (fields.tiered_pricing as unknown[]) : []) {
    const above = isFields(range) && Array.isArray(range.range) ? tokensOf(range.range[0]) : undefined;
    if (above !== undefined) add(above, readRates(range as Fields));
  }
  return toTiers(base, steps);
}

/** What a tier does not say costs there what it costs below it. */
function toTiers(base: Partial<Rates>, steps: Map<number, Partial<Rates>>): Tiers | undefined {
  const found: Tier[] = [];
  let below = base;
  for (const [above, rates] of [...new Map([[0, {}], ...steps])].sort(([a], [b]) => a - b)) {
    below = { ...below, ...rates };
    if (below.input !== undefined || below.output !== undefined) {
      found.push({ above: found.length === 0 ? 0 : above, rates: { input: 0, output: 0, ...below } });
    }
  }
  const [first, ...rest] = found;
  return first && [first, ...rest];
}

function readRates(fields: Fields): Partial<Rates> {
  return Object.assign(
    {},
    ...Object.entries(NAMES).map(([name, rate]) => rateOf(rate, fields[name])),
  ) as Partial<Rates>;
}

/** Without the digits that a multiplication of floating numbers adds. Some tables have numbers as texts. */
function rateOf(rate: keyof Rates, value: unknown): Partial<Rates> {
  const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof price !== 'number' || !Number.isFinite(price * PER) || price < 0) return {};
  return { [rate]: Number((price * PER).toPrecision(12)) };
}

/** The list has 0 where it knows no limit, as with models of embeddings. */
function limitOf(value: unknown): number | undefined {
  return tokensOf(value) || undefined;
}

function tokensOf(value: unknown): number | undefined {
  const tokens = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined;
}
