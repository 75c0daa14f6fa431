import type { ChatRequest } from 'drivebay/plugin';
import type { ThinkingConfig, ThinkingLevel } from '@google/genai';
import type { ModelMemory } from './model-memory';

/** Up to how many tokens the vendor's own mapping between the two forms means a level. */
const LEVELS: [number, string][] = [
  [1_024, 'LOW'],
  [8_192, 'MEDIUM'],
  [Infinity, 'HIGH'],
];

/**
 * The effort goes as it came, and alone: the vendor refuses both forms in one request. A budget goes as a level to models
 * that refuse the older form.
 */
export function toThinkingConfig(
  { reasoningEffort, thinkingBudget = 0 }: ChatRequest,
  { budgetAs }: ModelMemory,
): ThinkingConfig | undefined {
  if (reasoningEffort) return { thinkingLevel: reasoningEffort as ThinkingLevel };
  if (thinkingBudget <= 0 || budgetAs === 'none') return undefined;
  if (budgetAs === 'budget') return { thinkingBudget, includeThoughts: true };
  const level = LEVELS.find(([limit]) => thinkingBudget <= limit)![1];
  return { thinkingLevel: level as ThinkingLevel, includeThoughts: true };
}
