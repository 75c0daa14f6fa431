import type { Usage } from 'drivebay/plugin';
import { countOf, type Fields, isFields } from '../_shared/fields';

/** Gemini CLI's sum over all models and turns of a run, from its last event. The input includes the cached tokens. */
export function streamUsage(stats: unknown): Usage | undefined {
  if (!isFields(stats)) return undefined;
  const input = countOf(stats.input_tokens);
  const answer = countOf(stats.output_tokens);
  if (input === undefined || answer === undefined) return undefined;
  // Thinking is in the total only.
  const thoughts = Math.max(0, (countOf(stats.total_tokens) ?? 0) - input - answer);
  return usageOf({ input, answer, thoughts, cached: countOf(stats.cached) });
}

/** The same from the single object of its `json` output, where each model stands alone. */
export function documentUsage(stats: unknown): Usage | undefined {
  const models = isFields(stats) && isFields(stats.models) ? Object.values(stats.models) : [];
  return models
    .map((model) => (isFields(model) && isFields(model.tokens) ? modelUsage(model.tokens) : undefined))
    .reduce(addUsage, undefined);
}

function modelUsage(tokens: Fields): Usage {
  const input = (countOf(tokens.prompt) ?? 0) + (countOf(tokens.tool) ?? 0);
  const [answer, thoughts] = [countOf(tokens.candidates) ?? 0, countOf(tokens.thoughts) ?? 0];
  return usageOf({ input, answer, thoughts, cached: countOf(tokens.cached) });
}

/** Of one message of Qwen Code, or of its whole run. The input includes the cached tokens. */
export function messageUsage(usage: unknown): Usage | undefined {
  if (!isFields(usage)) return undefined;
  const input = countOf(usage.input_tokens);
  const answer = countOf(usage.output_tokens);
  if (input === undefined && answer === undefined) return undefined;
  return usageOf({
    ...{ input: input ?? 0, answer: answer ?? 0, thoughts: 0 },
    cached: countOf(usage.cache_read_input_tokens),
  });
}

export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  return usageOf({
    input: one.inputTokens + other.inputTokens,
    answer: one.outputTokens + other.outputTokens - thoughtsOf(one) - thoughtsOf(other),
    thoughts: thoughtsOf(one) + thoughtsOf(other),
    cached: sum(one.cachedInputTokens, other.cachedInputTokens),
  });
}

interface Counts {
  input: number;
  answer: number;
  thoughts: number;
  cached: number | undefined;
}

function usageOf({ input, answer, thoughts, cached }: Counts): Usage {
  return {
    type: 'usage',
    inputTokens: input,
    outputTokens: answer + thoughts,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
  };
}

const thoughtsOf = ({ reasoningTokens = 0 }: Usage): number => reasoningTokens;

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
