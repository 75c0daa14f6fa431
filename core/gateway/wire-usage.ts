import type { Usage } from '../contract/api';
import { mergeFields } from '../fields';

/** The wire's usage object: what the driver reported, 0 where it said nothing. */
export function wireUsage(usage: Usage | undefined): Record<string, unknown> {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  const wire: Record<string, unknown> = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage?.cachedInputTokens ?? 0,
      ...(usage?.cacheWriteInputTokens !== undefined && { cache_write_tokens: usage.cacheWriteInputTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
    ...(usage?.costUsd !== undefined && { cost: usage.costUsd }),
  };
  return usage?.extra ? mergeFields(wire, usage.extra) : wire;
}
