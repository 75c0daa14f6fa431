import type { Usage } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, numberOf, unknownFields, type Fields } from '../fields';
import { toUsage } from '../http/usage';

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
  return toUsage({
    inputTokens: countOf(value.prompt_tokens),
    outputTokens: countOf(value.completion_tokens),
    // The second and third name are those of servers that had a cache before the wire had a field for it.
    cachedInputTokens:
      countOf(prompt.cached_tokens) ?? countOf(value.prompt_cache_hit_tokens) ?? countOf(value.cached_tokens),
    cacheWriteInputTokens: countOf(prompt.cache_write_tokens) ?? countOf(value.cache_creation_input_tokens),
    reasoningTokens: countOf(completion.reasoning_tokens),
    audioInputTokens: countOf(prompt.audio_tokens),
    audioOutputTokens: countOf(completion.audio_tokens),
    imageOutputTokens: countOf(completion.image_tokens),
    costUsd: nominal ?? priceOf(value.cost),
    // A gateway like ours says so of what a subscription pays.
    nominal: nominal === undefined ? undefined : true,
    extra: furtherCounters(value, prompt, completion),
  });
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
