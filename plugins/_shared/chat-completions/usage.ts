import type { Usage } from 'drivebay/plugin';
import { countOf, isFields, numberOf, unknownFields, type Fields } from '../fields';

const MAPPED = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
]);
const MAPPED_PROMPT = new Set(['cached_tokens', 'cache_write_tokens']);
const MAPPED_COMPLETION = new Set(['reasoning_tokens']);

/** Reads a usage object; undefined when it counts nothing. Counters that the contract has no name for go along in `extra`. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const input = countOf(value.prompt_tokens);
  const output = countOf(value.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const prompt = isFields(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const completion = isFields(value.completion_tokens_details) ? value.completion_tokens_details : {};
  const usage: Usage = { type: 'usage', inputTokens: input ?? 0, outputTokens: output ?? 0 };

  // The second and third name are those of servers that had a cache before the wire had a field for it.
  const cached =
    countOf(prompt.cached_tokens) ?? countOf(value.prompt_cache_hit_tokens) ?? countOf(value.cached_tokens);
  const written = countOf(prompt.cache_write_tokens) ?? countOf(value.cache_creation_input_tokens);
  const reasoning = countOf(completion.reasoning_tokens);
  const cost = numberOf(value.cost);
  if (cached !== undefined) usage.cachedInputTokens = cached;
  if (written !== undefined) usage.cacheWriteInputTokens = written;
  if (reasoning !== undefined) usage.reasoningTokens = reasoning;
  if (cost !== undefined && cost >= 0) usage.costUsd = cost;
  const extra = furtherCounters(value, prompt, completion);
  if (extra) usage.extra = extra;
  return usage;
}

function furtherCounters(usage: Fields, prompt: Fields, completion: Fields): Fields | undefined {
  const promptDetails = unknownFields(prompt, MAPPED_PROMPT);
  const completionDetails = unknownFields(completion, MAPPED_COMPLETION);
  const further = unknownFields(usage, MAPPED);
  if (!further && !promptDetails && !completionDetails) return undefined;
  return {
    ...further,
    ...(promptDetails && { prompt_tokens_details: promptDetails }),
    ...(completionDetails && { completion_tokens_details: completionDetails }),
  };
}
