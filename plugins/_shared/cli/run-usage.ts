import type { Usage } from 'drivebay/plugin';

type Counts = Partial<Omit<Usage, 'type'>>;

/** Undefined when neither input nor output was counted. */
export function runUsage({ inputTokens, outputTokens, ...more }: Counts): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { type: 'usage', inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...more };
}

export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  return {
    type: 'usage',
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: sum(one.cachedInputTokens, other.cachedInputTokens),
    cacheWriteInputTokens: sum(one.cacheWriteInputTokens, other.cacheWriteInputTokens),
    reasoningTokens: sum(one.reasoningTokens, other.reasoningTokens),
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
