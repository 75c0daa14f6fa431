import type { Usage } from '../contract/api';

/** What is counted of a usage. */
export const COUNTERS = [
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
  'longCacheWriteInputTokens',
  'reasoningTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'imageOutputTokens',
  'requests',
] as const satisfies (keyof Usage)[];

/** Those that not every usage has. */
const FURTHER = COUNTERS.filter((name) => name !== 'inputTokens' && name !== 'outputTokens');

/** Usage without the fields that drivers add. */
export type StepUsage = Pick<Usage, (typeof COUNTERS)[number]>;

export function pickUsage(usage: StepUsage): StepUsage {
  const { inputTokens, outputTokens } = usage;
  return addTo({ inputTokens, outputTokens }, usage, FURTHER);
}

/** A counter is absent in the sum when neither usage has it. */
export function addUsage(sum: StepUsage, usage: StepUsage): StepUsage {
  return addTo({ ...sum }, usage, COUNTERS);
}

function addTo(sum: StepUsage, usage: StepUsage, names: readonly (keyof StepUsage)[]): StepUsage {
  for (const name of names) {
    const tokens = usage[name];
    if (tokens !== undefined) sum[name] = (sum[name] ?? 0) + tokens;
  }
  return sum;
}

/** cached / (input - cache writes), where input includes both: tokens that were just written could not have been read. */
export function hitRateOf({
  inputTokens,
  cachedInputTokens,
  cacheWriteInputTokens = 0,
}: StepUsage): number | undefined {
  const read = inputTokens - cacheWriteInputTokens;
  return cachedInputTokens === undefined || read <= 0 ? undefined : cachedInputTokens / read;
}

const TOTALS = [
  'turns',
  'failed',
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
  'costUsd',
  'nominalUsd',
] as const;

export type UsageTotals = Record<(typeof TOTALS)[number], number>;

export const NO_TURNS = Object.fromEntries(TOTALS.map((name) => [name, 0])) as UsageTotals;

/** A turn that has ended: a request at the gateway, or a step of an agent. */
export interface EndedTurn {
  ok: boolean;
  usage?: StepUsage;
  costUsd?: number;
  nominalUsd?: number;
}

export function addTurn(totals: UsageTotals, { ok, usage, costUsd = 0, nominalUsd = 0 }: EndedTurn): UsageTotals {
  return addTotals(totals, { ...NO_TURNS, ...usage, turns: 1, failed: ok ? 0 : 1, costUsd, nominalUsd });
}

export function addTotals(one: UsageTotals, other: UsageTotals): UsageTotals {
  const sum = { ...NO_TURNS };
  for (const name of TOTALS) sum[name] = one[name] + other[name];
  return { ...sum, costUsd: dollars(sum.costUsd), nominalUsd: dollars(sum.nominalUsd) };
}

/**
 * Without the digits that only the arithmetic of floating numbers adds: 0.019203, not 0.019202999999999998. A floating number
 * holds 15 digits of any decimal number: so a sum that is rounded after each turn is the sum of the decimal numbers, and
 * does not drift. An amount beyond all numbers is the largest one: JSON, and so the ledger, has no other.
 */
export function dollars(amount: number): number {
  return Math.min(Number(amount.toPrecision(15)), Number.MAX_VALUE);
}

export const USAGE_GROUPINGS = ['client', 'provider', 'model', 'project', 'route', 'day'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** What the sums of a group may be split by. */
export const USAGE_SPLITS = ['provider', 'client', 'model'] as const satisfies UsageGrouping[];
export type UsageSplit = (typeof USAGE_SPLITS)[number];
