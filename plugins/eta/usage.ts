import type { Usage } from 'drivebay/plugin';
import { countOf, isFields, type Fields } from '../_shared/fields';

/** Counters that the contract has no name for. */
const FURTHER = ['cache_creation', 'server_tool_use'];

/** Counters come twice in a stream, the later ones with the whole truth; null says nothing. */
export function mergeUsage(before: Fields, value: unknown): Fields {
  if (!isFields(value)) return before;
  return { ...before, ...Object.fromEntries(Object.entries(value).filter(([, count]) => count !== null)) };
}

/** The vendor's input tokens are those that no cache had to do with. Undefined when nothing was counted. */
export function readUsage(usage: Fields): Usage | undefined {
  const input = countOf(usage.input_tokens);
  const output = countOf(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = countOf(usage.cache_read_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const details = isFields(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const reasoning = countOf(details.thinking_tokens);
  const extra = Object.fromEntries(FURTHER.filter((name) => isFields(usage[name])).map((name) => [name, usage[name]]));
  return {
    type: 'usage',
    inputTokens: (input ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteInputTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
