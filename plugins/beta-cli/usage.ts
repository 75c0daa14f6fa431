import type { Usage } from 'drivebay/plugin';
import { countOf, fieldsOf, type Fields } from '../_shared/fields';

/** The counts of a run from its last event. What was read from or written to the cache is not in the CLI's input count. */
export function readUsage(result: Fields): Usage | undefined {
  const usage = { ...result, ...fieldsOf(result.usage) };
  const uncached = countOf(usage.inputTokens ?? usage.input_tokens);
  const outputTokens = countOf(usage.outputTokens ?? usage.output_tokens);
  if (uncached === undefined && outputTokens === undefined) return undefined;
  const cached = countOf(usage.cacheReadTokens ?? usage.cache_read_tokens);
  const written = countOf(usage.cacheWriteTokens ?? usage.cache_write_tokens);
  return {
    type: 'usage',
    inputTokens: (uncached ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: outputTokens ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteInputTokens: written }),
  };
}
