import type { Usage } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, listOf, type Fields } from '../_shared/fields';
import { sumOf, toUsage } from '../_shared/http/usage';

/** Counters that the contract has no name for. */
const FURTHER = ['cache_creation', 'server_tool_use'];

/** The counts of an answer. Undefined if the vendor reports none. */
export function readUsage(usage: Fields): Usage | undefined {
  // The vendor bills the tokens of a conversation summary, but no other count includes them.
  const summaries = listOf(usage.iterations)
    .map(fieldsOf)
    .filter(({ type }) => type === 'compaction');
  const parts = [usage, ...summaries];
  const count = (name: string) => sumOf(...parts.map((part) => countOf(part[name])));
  const cached = count('cache_read_input_tokens');
  const written = count('cache_creation_input_tokens');
  const long = sumOf(...parts.map((part) => countOf(fieldsOf(part.cache_creation).ephemeral_1h_input_tokens)));
  const further = FURTHER.filter((name) => isFields(usage[name])).map((name) => [name, usage[name]]);
  return toUsage({
    // The vendor's input count leaves out tokens that a cache read or wrote.
    inputTokens: sumOf(count('input_tokens'), cached, written),
    outputTokens: count('output_tokens'),
    cachedInputTokens: cached,
    cacheWriteInputTokens: written,
    longCacheWriteInputTokens: long || undefined,
    reasoningTokens: countOf(fieldsOf(usage.output_tokens_details).thinking_tokens),
    requests: summaries.length > 0 ? parts.length : undefined,
    extra: further.length > 0 ? (Object.fromEntries(further) as Fields) : undefined,
  });
}
