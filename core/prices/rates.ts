import { dollars, type StepUsage } from '../record/usage';

/** Prices of one model, in US dollars per million tokens. */
export interface Rates {
  input: number;
  output: number;
  /** Absent, as are the prices below: input that the cache has to do with costs what other input costs. */
  cachedInput?: number;
  cacheWrite?: number;
  /** Of input that is written to a cache that keeps it for long; absent: as other writes. */
  longCacheWrite?: number;
  /** Absent: reasoning costs what other output costs. */
  reasoning?: number;
}

/** What a model costs for input of more than `above` tokens. */
export interface Tier {
  above: number;
  rates: Rates;
}

/** What a model costs. The tiers rise, and the first one begins at 0. */
export type Tiers = readonly [Tier, ...Tier[]];

const PER = 1_000_000;

/**
 * The price of a turn in US dollars. The whole input, what the cache has to do with included, decides the tier, and the tier
 * counts for every token of the turn: so do the vendors that have tiers.
 */
export function priceOf(usage: StepUsage, tiers: Tiers): number {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage;
  const { longCacheWriteInputTokens = 0, reasoningTokens = 0 } = usage;
  const rates = ratesFor(inputTokens, tiers);
  const { input, output, cachedInput = input, cacheWrite = input, reasoning = output } = rates;
  const { longCacheWrite = cacheWrite } = rates;
  // A backend that counts wrongly must not make input or output negative.
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteInputTokens, inputTokens - cached);
  const long = Math.min(longCacheWriteInputTokens, written);
  const thought = Math.min(reasoningTokens, outputTokens);
  const sum =
    (inputTokens - cached - written) * input +
    cached * cachedInput +
    (written - long) * cacheWrite +
    long * longCacheWrite +
    (outputTokens - thought) * output +
    thought * reasoning;
  return dollars(sum / PER);
}

function ratesFor(inputTokens: number, tiers: Tiers): Rates {
  let [{ rates }] = tiers;
  for (const tier of tiers) if (inputTokens > tier.above) ({ rates } = tier);
  return rates;
}

/** The price of this many tokens at most, whatever part of them a cache has to do with. */
export function highestPrice({ inputTokens, outputTokens }: StepUsage, tiers: Tiers): number {
  const rates = ratesFor(inputTokens, tiers);
  const { input, output, cachedInput = 0, cacheWrite = 0, longCacheWrite = 0, reasoning = 0 } = rates;
  const dearest = Math.max(input, cachedInput, cacheWrite, longCacheWrite);
  // An estimate is held in whole parts of a cent, so it needs no rounding of its own.
  return (inputTokens * dearest + outputTokens * Math.max(output, reasoning)) / PER;
}
