import type { Usage } from 'drivebay/plugin';
import { addUsage, usageOf } from '../_shared/cli/answer-parts';
import { fieldsOf, numberOf, type Fields } from '../_shared/fields';

/** The program's own sum over all turns of a run, from its last line. */
export function runTotal(result: Fields, spent = { costUsd: 0 }): Usage | undefined {
  const sum = messageUsage(result.usage);
  // After some failures inside the run the sum is empty, and only the list by model is right.
  const isEmpty = !sum || (sum.inputTokens === 0 && sum.outputTokens === 0);
  const usage = (isEmpty ? modelsUsage(result.modelUsage) : sum) ?? sum;
  const total = numberOf(result.total_cost_usd);
  if (total === undefined || total < 0) return usage && { ...usage, costUsd: undefined };
  const costUsd = Math.max(0, total - spent.costUsd);
  spent.costUsd = total;
  return usage && { ...usage, costUsd };
}

/** The counts of a run, message by message: a run that is ended early has no sum. */
export class MessageCounts {
  private before: Usage | undefined;
  private current: Fields = {};

  /** The counts of the current message are the latest ones each time. Some servers tell those of the input at its beginning only. */
  count(usage: unknown): void {
    const told = Object.entries(fieldsOf(usage)).filter(([, value]) => value !== null);
    this.current = { ...this.current, ...Object.fromEntries(told) };
  }

  endMessage(): void {
    this.before = this.total();
    this.current = {};
  }

  total(): Usage | undefined {
    return addUsage(this.before, messageUsage(this.current));
  }
}

function messageUsage(value: unknown): Usage | undefined {
  return usageOf(fieldsOf(value), {
    input: 'input_tokens',
    output: 'output_tokens',
    cached: 'cache_read_input_tokens',
    written: 'cache_creation_input_tokens',
    isUncached: true,
  });
}

function modelsUsage(value: unknown): Usage | undefined {
  const usages = Object.values(fieldsOf(value)).map((model) =>
    usageOf(fieldsOf(model), {
      input: 'inputTokens',
      output: 'outputTokens',
      cached: 'cacheReadInputTokens',
      written: 'cacheCreationInputTokens',
      isUncached: true,
    }),
  );
  return usages.reduce(addUsage, undefined);
}
