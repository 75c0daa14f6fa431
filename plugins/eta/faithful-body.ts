import type { ChatRequest } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, numberOf, type Fields, spelled } from '../_shared/fields';
import { addBreakpoints, type CachedLists, countBreakpoints } from './breakpoints';
import type { Turn } from './conversation';
import { mendTurns } from './mend-turns';
import type { BodyParts, RequestBody } from './request-body';
import { effortOf, isRoundWithoutThought, thinkingParts, toThinking } from './thinking';

/**
 * The body as a client of this wire sent it, for the model of the route. Options of the provider and the driver's
 * breakpoints come in only where the client set none. A limit that the model refused is lowered: it is a wish.
 */
export function toFaithfulBody(
  request: ChatRequest,
  sent: Fields,
  { without, makeError, isVendor }: Pick<BodyParts, 'without' | 'makeError'> & { isVendor: boolean },
): RequestBody {
  const body: Fields = { ...sent, model: request.model };
  if ((sent.stream === true) !== request.stream) body.stream = request.stream;
  const mended = mendTurns(listOf(sent.messages), { withoutThoughts: without.has('thinking_blocks'), isVendor });
  if (mended) body.messages = mended;
  const lists: CachedLists = {
    tools: listOf(sent.tools).map(fieldsOf),
    system: toBlocks(sent.system),
    turns: listOf(body.messages).map(toTurn),
    whole: sent.cache_control,
  };

  const config = fieldsOf(sent.output_config);
  // A gateway without a word of the client's on effort may have made one of its budget.
  const isOpen = config.effort === undefined && fieldsOf(sent.thinking).type !== 'enabled';
  const wish = {
    ...request,
    maxTokens: numberOf(sent.max_tokens) ?? request.maxTokens,
    reasoningEffort: isOpen ? effortOf(request) : undefined,
    extra: { thinking: sent.thinking },
  };
  const isForced = /^(any|tool)$/.test(spelled(fieldsOf(sent.tool_choice).type));
  const chosen = toThinking(wish, { without, isForced, turns: lists.turns, makeError });
  const { thinking, maxTokens } = chosen;
  const isTheirs = isFields(sent.thinking);
  // A budget over the client's own limit is the vendor's to judge.
  if (!isTheirs || maxTokens < wish.maxTokens!) Object.assign(body, { thinking, max_tokens: maxTokens });
  const isEnabled = fieldsOf(body.thinking).type === 'enabled';
  if (without.has('thinking_blocks') && isEnabled && isRoundWithoutThought(lists.turns)) body.thinking = undefined;

  if (wish.reasoningEffort !== undefined) body.output_config = { ...config, effort: wish.reasoningEffort };
  const isMarked = countBreakpoints(lists) > 0;
  const breakpoints = isMarked || without.has('cache_control') ? 0 : mark(body, lists);
  return { body, parts: { ...thinkingParts(chosen, isTheirs), cache_control: breakpoints > 0 || undefined } };
}

/** Puts the driver's breakpoints into copies of what they mark. */
function mark(body: Fields, { tools, system, turns }: CachedLists): number {
  const theirs = new Set([...tools, ...system, ...turns.flatMap(({ content }) => content)]);
  const isOurs = (blocks: Fields[]): boolean => blocks.some((block) => !theirs.has(block));
  const count = addBreakpoints({ tools, system, turns, whole: undefined });
  if (isOurs(tools)) body.tools = tools;
  if (isOurs(system)) body.system = system;
  body.messages = listOf(body.messages).map((turn, index) => (isOurs(turns[index]!.content) ? turns[index] : turn));
  return count;
}

function toTurn(message: unknown): Turn {
  const turn = fieldsOf(message);
  return { ...turn, content: toBlocks(turn.content) } as Turn;
}

function toBlocks(content: unknown): Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).map(fieldsOf);
}
