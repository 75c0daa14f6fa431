import type { Usage } from 'drivebay/plugin';
import { fieldsOf, isFields, numberOf, type Fields } from '../_shared/fields';

/** The program's own sum over all turns of a run, from its last line. */
export function toUsage(result: Fields): Usage | undefined {
  const usage = fromUsage(result.usage) ?? { type: 'usage', inputTokens: 0, outputTokens: 0 };
  // After some failures inside the run the sum is empty, and only the list by model is right.
  const counted = isEmpty(usage) ? fromModelUsage(result.modelUsage) : usage;
  const costUsd = numberOf(result.total_cost_usd);
  if (isEmpty(counted) && !isFields(result.usage)) return undefined;
  return { ...counted, ...(costUsd !== undefined && costUsd >= 0 && { costUsd }) };
}

/** The counts of a vendor message: what was read from or written to the cache is not in its `input_tokens`. */
export function fromUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const read = count(value.cache_read_input_tokens);
  const written = count(value.cache_creation_input_tokens);
  return counts(count(value.input_tokens), read, written, count(value.output_tokens));
}

function fromModelUsage(value: unknown): Usage {
  const models = Object.values(fieldsOf(value)).map(fieldsOf);
  const sum = (name: string) => models.reduce((total, model) => total + count(model[name]), 0);
  const read = sum('cacheReadInputTokens');
  return counts(sum('inputTokens'), read, sum('cacheCreationInputTokens'), sum('outputTokens'));
}

function counts(uncached: number, read: number, written: number, outputTokens: number): Usage {
  return {
    type: 'usage',
    inputTokens: uncached + read + written,
    outputTokens,
    cachedInputTokens: read,
    cacheWriteInputTokens: written,
  };
}

function isEmpty({ inputTokens, outputTokens }: Usage): boolean {
  return inputTokens === 0 && outputTokens === 0;
}

function count(value: unknown): number {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? Math.round(number) : 0;
}
