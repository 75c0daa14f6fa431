import type { ChatRequest } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import type { Turn } from './conversation';
import type { Habits } from './model-habits';

/** The vendor refuses less. */
const LEAST_BUDGET = 1_024;
/** The vendor wants a limit; long enough for nearly every answer, and within what nearly every model can. */
const DEFAULT_MAX_TOKENS = 8_192;

export interface Thinking {
  thinking: Fields | undefined;
  maxTokens: number;
  /** Whether the limit is more than the client's word. */
  isOwnLimit: boolean;
}

/**
 * How the model is to think, and how much it may write in all: thinking counts, so a limit that the budget would use up
 * grows by it. A client's own `thinking` is more specific than the provider's options.
 */
export function toThinking(request: ChatRequest, habits: Habits, forced: boolean, turns: Turn[]): Thinking {
  const own = request.extra.thinking;
  const thinking = isFields(own) ? own : forced ? undefined : wanted(request, habits, turns);
  const asked = Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, request.maxTokens ?? habits.mostTokens);
  const budget = typeof thinking?.budget_tokens === 'number' ? thinking.budget_tokens : 0;
  if (asked > budget) return { thinking, maxTokens: asked, isOwnLimit: request.maxTokens === undefined };
  const maxTokens = Math.min(asked + budget, Math.max(asked, habits.mostTokens));
  if (maxTokens > budget) return { thinking, maxTokens, isOwnLimit: true };
  const rest = maxTokens - 1;
  const smaller = rest >= LEAST_BUDGET ? { ...thinking, budget_tokens: rest } : undefined;
  return { thinking: smaller, maxTokens, isOwnLimit: true };
}

function wanted({ thinkingBudget, reasoningEffort }: ChatRequest, habits: Habits, turns: Turn[]): Fields | undefined {
  if (thinkingBudget && habits.takesBudget) {
    // The vendor refuses to go on thinking in a round of calls that did not begin with it.
    if (isRoundWithoutThought(turns)) return undefined;
    return { type: 'enabled', budget_tokens: Math.max(LEAST_BUDGET, thinkingBudget) };
  }
  if (!(thinkingBudget || reasoningEffort) || !habits.takesAdaptive) return undefined;
  // Without the word, newer models keep what they think to themselves.
  return { type: 'adaptive', ...(habits.takesDisplay && { display: 'summarized' }) };
}

/** Whether results of tools are the last word, and none of the answers since the user's own contains a thought. */
function isRoundWithoutThought(turns: Turn[]): boolean {
  const begin = turns.findLastIndex(({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result');
  const round = turns.slice(begin + 1).filter(({ role }) => role === 'assistant');
  return round.length > 0 && !round.some(({ content }) => /thinking$/.test(String(content[0]?.type)));
}
