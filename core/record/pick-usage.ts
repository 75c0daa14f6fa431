import type { StepUsage } from './process-event';

/** Usage without what drivers add to it. */
export function pickUsage(usage: StepUsage): StepUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens, reasoningTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
