import type { ChatRequest } from 'drivebay/plugin';
import { fieldsOf, isFields, type Fields, spelled } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import type { LeftOut } from '../_shared/http/refusals';
import { fitLimit, limitParts, mostTokens } from '../_shared/http/token-limit';
import type { Turn } from './conversation';

/** The vendor refuses less. */
const LEAST_BUDGET = 1_024;
/** The vendor wants a limit; long enough for nearly every answer, and within what nearly every model can. */
const DEFAULT_MAX_TOKENS = 8_192;

/** A level of other vendors. Here the absence of thinking says it. */
const NO_EFFORT = 'none';

interface Thinking {
  thinking?: Fields;
  maxTokens: number;
}

interface ThinkingWish {
  without: LeftOut;
  /** Whether the model must call a tool: then it cannot think. */
  isForced: boolean;
  turns: Turn[];
  makeError: MakeError;
}

/**
 * How the model is to think, and how much it may write in all: thinking counts, so a limit that the budget would use up
 * grows by it. A client's own `thinking` is more specific than the provider's options.
 */
export function toThinking(request: ChatRequest, { without, isForced, turns, makeError }: ThinkingWish): Thinking {
  const own = request.extra.thinking;
  const thinking = isFields(own) ? own : isForced ? undefined : wanted(request, without, turns);
  const asked = fitLimit(request.maxTokens ?? DEFAULT_MAX_TOKENS, without, makeError);
  const budget = typeof thinking?.budget_tokens === 'number' ? thinking.budget_tokens : 0;
  if (asked > budget) return { thinking, maxTokens: asked };
  const maxTokens = Math.min(asked + budget, Math.max(asked, mostTokens(without)));
  if (maxTokens > budget) return { thinking, maxTokens };
  const rest = maxTokens - 1;
  return { thinking: rest >= LEAST_BUDGET ? { ...thinking, budget_tokens: rest } : undefined, maxTokens };
}

/** The effort in the words of the vendor. */
export function effortOf({ reasoningEffort }: Pick<ChatRequest, 'reasoningEffort'>): string | undefined {
  return reasoningEffort === NO_EFFORT ? undefined : reasoningEffort;
}

/** The parts of it that the vendor may refuse. `isTheirs`: the client's own words are the client's to hear of. */
export function thinkingParts({ thinking, maxTokens }: Thinking, isTheirs: boolean): Fields {
  const { type, display } = isTheirs ? {} : fieldsOf(thinking);
  return {
    ...limitParts(maxTokens),
    'thinking.enabled': type === 'enabled' || undefined,
    'thinking.adaptive': type === 'adaptive' || undefined,
    'thinking.display': display,
    thinking_blocks: true,
  };
}

function wanted(request: ChatRequest, without: LeftOut, turns: Turn[]): Fields | undefined {
  const { thinkingBudget } = request;
  if (thinkingBudget && !without.has('thinking.enabled')) {
    // The vendor refuses to go on thinking in a round of calls that did not begin with it.
    if (isRoundWithoutThought(turns)) return undefined;
    return { type: 'enabled', budget_tokens: Math.max(LEAST_BUDGET, thinkingBudget) };
  }
  if (!(thinkingBudget || effortOf(request)) || without.has('thinking.adaptive')) return undefined;
  // Newer models show what they think only on request.
  return { type: 'adaptive', display: without.has('thinking.display') ? undefined : 'summarized' };
}

/** Whether tool results end the conversation, and no answer since the user's last words contains a thought. */
export function isRoundWithoutThought(turns: Turn[]): boolean {
  const begin = turns.findLastIndex(({ role, content }) => role === 'user' && content[0]?.type !== 'tool_result');
  const round = turns.slice(begin + 1).filter(({ role }) => role === 'assistant');
  return round.length > 0 && !round.some(({ content }) => /thinking$/.test(spelled(content[0]?.type)));
}
