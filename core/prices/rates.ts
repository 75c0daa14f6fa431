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
  /** Absent, as are the two below: sounds and pictures cost what text costs. */
  audioInput?: number;
  audioOutput?: number;
  imageOutput?: number;
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
 * The price of a turn in US dollars. The whole input of a request decides the tier, including cached tokens, and the tier counts
 * for every token. Vendors with tiers bill like this.
 */
export function priceOf(usage: StepUsage, tiers: Tiers): number {
  const rates = ratesFor(usage.inputTokens / Math.max(1, usage.requests ?? 1), tiers);
  return dollars((inputPrice(usage, rates) + outputPrice(usage, rates)) / PER);
}

// A backend that counts wrongly must not make any part negative.

function inputPrice(usage: StepUsage, rates: Rates): number {
  const { inputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage;
  const { longCacheWriteInputTokens = 0, audioInputTokens = 0 } = usage;
  const { input, cachedInput = input, cacheWrite = input, audioInput = input } = rates;
  const { longCacheWrite = cacheWrite } = rates;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteInputTokens, inputTokens - cached);
  const long = Math.min(longCacheWriteInputTokens, written);
  // No vendor of chats says which part of the sounds the cache has to do with: it counts as text, as long as there is text.
  const heard = Math.min(audioInputTokens, inputTokens - cached - written);
  return (
    (inputTokens - cached - written - heard) * input +
    cached * cachedInput +
    (written - long) * cacheWrite +
    long * longCacheWrite +
    heard * audioInput
  );
}

function outputPrice(usage: StepUsage, rates: Rates): number {
  const { outputTokens, reasoningTokens = 0, audioOutputTokens = 0, imageOutputTokens = 0 } = usage;
  const { output, reasoning = output, audioOutput = output, imageOutput = output } = rates;
  const thought = Math.min(reasoningTokens, outputTokens);
  const spoken = Math.min(audioOutputTokens, outputTokens - thought);
  const drawn = Math.min(imageOutputTokens, outputTokens - thought - spoken);
  const text = outputTokens - thought - spoken - drawn;
  return text * output + thought * reasoning + spoken * audioOutput + drawn * imageOutput;
}

function ratesFor(inputTokens: number, tiers: Tiers): Rates {
  let [{ rates }] = tiers;
  for (const tier of tiers) if (inputTokens > tier.above) ({ rates } = tier);
  return rates;
}

/** The price of this many tokens at most, whatever part of them a cache has to do with. */
export function highestPrice({ inputTokens, outputTokens }: StepUsage, tiers: Tiers): number {
  const rates = ratesFor(inputTokens, tiers);
  const { input, output, cachedInput = 0, cacheWrite = 0, longCacheWrite = 0 } = rates;
  const { reasoning = 0, audioOutput = 0, imageOutput = 0 } = rates;
  // The price of sounds does not count: an estimate has many times their tokens.
  const dearest = Math.max(input, cachedInput, cacheWrite, longCacheWrite);
  // An estimate is held in whole parts of a cent, so it needs no rounding of its own.
  return (inputTokens * dearest + outputTokens * Math.max(output, reasoning, audioOutput, imageOutput)) / PER;
}
