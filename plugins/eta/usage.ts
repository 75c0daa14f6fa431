import type { Usage } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, listOf, type Fields } from '../_shared/fields';
import { sumOf, toUsage } from '../_shared/http/usage';

/** Counters that the contract has no name for. */
const FURTHER = ['cache_creation', 'server_tool_use'];

/** The counts of an answer. Undefined where the vendor has counted nothing. */
export function readUsage(usage: Fields): Usage | undefined {
  // Those of the summary of a long conversation are billed, and in no other count.
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
    // The vendor's input tokens are those that no cache had to do with.
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
