import type { Usage } from 'drivebay/plugin';
import { addUsage } from '../_shared/cli/answer-parts';
import { countOf, fieldsOf } from '../_shared/fields';
import { toUsage } from '../_shared/http/usage';

/** Gemini CLI's sum over all models and turns of a run, from its last event. The input includes the cached tokens. */
export function streamUsage(value: unknown): Usage | undefined {
  const stats = fieldsOf(value);
  const input = countOf(stats.input_tokens);
  const answer = countOf(stats.output_tokens);
  if (input === undefined || answer === undefined) return undefined;
  // Only the total has the thinking tokens.
  const thoughts = Math.max(0, (countOf(stats.total_tokens) ?? 0) - input - answer);
  return withThoughts({ inputTokens: input, cachedInputTokens: countOf(stats.cached) }, answer, thoughts);
}

/** The same from the single object of its `json` output, which has each model apart. */
export function documentUsage(stats: unknown): Usage | undefined {
  const usages = Object.values(fieldsOf(fieldsOf(stats).models)).map((model) => {
    const tokens = fieldsOf(fieldsOf(model).tokens);
    const count = (name: string) => countOf(tokens[name]) ?? 0;
    const input = { inputTokens: count('prompt') + count('tool'), cachedInputTokens: countOf(tokens.cached) };
    return withThoughts(input, count('candidates'), count('thoughts'));
  });
  return usages.reduce(addUsage, undefined);
}

/** Of one message of Qwen Code, or of its whole session. The input includes the cached tokens. */
export function messageUsage(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  return toUsage({
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cachedInputTokens: countOf(usage.cache_read_input_tokens),
  });
}

/** The part of a total that came after another one. A program that began to count anew has the smaller total. */
export function usageSince(total: Usage, before: Usage | undefined): Usage {
  if (!before || total.inputTokens < before.inputTokens) return total;
  const { cachedInputTokens: cached } = total;
  return {
    ...total,
    inputTokens: total.inputTokens - before.inputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    cachedInputTokens: cached === undefined ? undefined : cached - (before.cachedInputTokens ?? 0),
  };
}

function withThoughts(input: Partial<Usage>, answer: number, thoughts: number): Usage | undefined {
  return toUsage({ ...input, outputTokens: answer + thoughts, reasoningTokens: thoughts || undefined });
}
