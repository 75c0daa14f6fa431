import type { Usage } from 'drivebay/plugin';
import { addUsage } from '../_shared/cli/answer-parts';
import { fieldsOf, isFields, numberOf, type Fields } from '../_shared/fields';

/** The program's own sum over all turns of a run, from its last line. */
export function runTotal(result: Fields): Usage | undefined {
  const sum = messageUsage(result.usage);
  // After some failures inside the run the sum is empty, and only the list by model is right.
  const isEmpty = !sum || (sum.inputTokens === 0 && sum.outputTokens === 0);
  const usage = (isEmpty ? modelsUsage(result.modelUsage) : sum) ?? sum;
  const costUsd = numberOf(result.total_cost_usd);
  return usage && { ...usage, costUsd: costUsd !== undefined && costUsd >= 0 ? costUsd : undefined };
}

/** The counts of a message. Its `input_tokens` leave out what was read from or written to the cache. */
export function messageUsage(value: unknown): Usage | undefined {
  if (!isFields(value)) return undefined;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = value;
  return counts([input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens]);
}

function modelsUsage(value: unknown): Usage | undefined {
  return Object.values(fieldsOf(value))
    .map(fieldsOf)
    .map(({ inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens }) =>
      counts([inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens]),
    )
    .reduce<Usage | undefined>(addUsage, undefined);
}

function counts(values: unknown[]): Usage {
  const [uncached = 0, read = 0, written = 0, output = 0] = values.map((value) => {
    const count = numberOf(value) ?? 0;
    return count > 0 ? Math.round(count) : 0;
  });
  return {
    type: 'usage',
    inputTokens: uncached + read + written,
    outputTokens: output,
    cachedInputTokens: read,
    cacheWriteInputTokens: written,
  };
}
