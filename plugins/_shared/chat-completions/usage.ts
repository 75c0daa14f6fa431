import type { Usage } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, numberOf, unknownFields, type Fields } from '../fields';
import { sumOf, toUsage } from '../http/usage';

const MAPPED = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
  'nominal_cost',
]);
const MAPPED_PROMPT = new Set(['cached_tokens', 'cache_write_tokens', 'audio_tokens']);
const MAPPED_COMPLETION = new Set(['reasoning_tokens', 'audio_tokens', 'image_tokens']);

/** Undefined when the object counts nothing. Counters that the contract has no name for go along in `extra`. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const prompt = fieldsOf(value.prompt_tokens_details);
  const completion = fieldsOf(value.completion_tokens_details);
  const nominal = priceOf(value.nominal_cost);
  // Servers that had a cache before the API had a field for it use the second or the third name.
  const cached =
    countOf(prompt.cached_tokens) ?? countOf(value.prompt_cache_hit_tokens) ?? countOf(value.cached_tokens);
  const written = countOf(prompt.cache_write_tokens) ?? countOf(value.cache_creation_input_tokens);
  const reasoning = countOf(completion.reasoning_tokens);
  const output = countOf(value.completion_tokens);
  const beside = besideOutput(value, cached, written, reasoning);
  return toUsage({
    inputTokens: countOf(value.prompt_tokens),
    outputTokens: sumOf(output, beside),
    cachedInputTokens: cached,
    cacheWriteInputTokens: written,
    reasoningTokens: reasoning ?? beside,
    audioInputTokens: countOf(prompt.audio_tokens),
    audioOutputTokens: countOf(completion.audio_tokens),
    imageOutputTokens: countOf(completion.image_tokens),
    costUsd: nominal ?? costOf(value),
    // A gateway like ours says so of what a subscription pays.
    nominal: nominal === undefined ? undefined : true,
    extra: furtherCounters(value, prompt, completion),
  });
}

/**
 * The reasoning that the output count leaves out. xAI and Gemini have it only in the total. In the same way, the input count of a
 * server may leave out cached tokens.
 */
function besideOutput(
  { prompt_tokens, completion_tokens, total_tokens }: Fields,
  cached = 0,
  written = 0,
  reasoning?: number,
): number | undefined {
  const [input, total] = [countOf(prompt_tokens), countOf(total_tokens)];
  if (input === undefined || total === undefined) return undefined;
  const rest = total - input - (countOf(completion_tokens) ?? 0);
  if (rest <= 0) return undefined;
  const isReasoning =
    reasoning === undefined ? ![cached, written, cached + written].includes(rest) : rest === reasoning;
  return isReasoning ? rest : undefined;
}

/** xAI reports prices in ticks. */
const TICKS_PER_USD = 1e10;

/** Perplexity reports each part of the price. If OpenRouter uses a key of the user, its own price is only a fee, and the vendor's price is added. */
export function costOf({ cost, cost_details, is_byok, cost_in_usd_ticks }: Fields): number | undefined {
  const upstream = is_byok === true ? priceOf(fieldsOf(cost_details).upstream_inference_cost) : undefined;
  const ticks = priceOf(cost_in_usd_ticks);
  const told = priceOf(cost) ?? priceOf(fieldsOf(cost).total_cost);
  return sumOf(told, upstream) ?? (ticks === undefined ? undefined : ticks / TICKS_PER_USD);
}

function priceOf(value: unknown): number | undefined {
  const price = numberOf(value);
  return price !== undefined && price >= 0 ? price : undefined;
}

function furtherCounters(usage: Fields, prompt: Fields, completion: Fields): Fields | undefined {
  const further: Fields = { ...unknownFields(usage, MAPPED) };
  const promptDetails = unknownFields(prompt, MAPPED_PROMPT);
  const completionDetails = unknownFields(completion, MAPPED_COMPLETION);
  if (promptDetails) further.prompt_tokens_details = promptDetails;
  if (completionDetails) further.completion_tokens_details = completionDetails;
  return Object.keys(further).length > 0 ? further : undefined;
}
