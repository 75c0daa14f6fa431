import type { ChatRequest } from 'drivebay/plugin';
import type { MakeError } from './explain-error';
import { keyOf, type LeftOut, type Refusal } from './refusals';
import { fitLimit, LIMIT_REFUSALS, limitParts } from './token-limit';

const EFFORT = 'effort wish';

/** The next effort to ask for where one is refused; after the others the model decides. */
const LOWER = new Map([
  ['ultra', 'high'],
  ['max', 'high'],
  ['xhigh', 'high'],
  ['minimal', 'low'],
]);

/** The refusals of what a request asks for as a wish. `wishParts` are the parts that they mean. */
export const WISH_REFUSALS: readonly Refusal[] = [
  ...LIMIT_REFUSALS,
  {
    words: /reasoning[._ ]?effort|effort parameter|output_config\.effort|thinking level is not|does not support thinking|invalid reasoning value/gi,
    parts: [EFFORT],
    scope: 'value',
  },
]; // prettier-ignore

/**
 * The request with what its model takes of the wishes. The token limit is always one. An effort is one where a program of
 * another wire asks for it: such programs name one with every request, whatever the model can.
 */
export function withWishes(
  request: ChatRequest,
  without: LeftOut,
  ignored: string[],
  makeError: MakeError,
): ChatRequest {
  const maxTokens = fitLimit(request.maxTokens, without, makeError);
  if (maxTokens !== request.maxTokens) ignored.push('max_tokens');
  const fitting = maxTokens === request.maxTokens ? request : { ...request, maxTokens };
  const { reasoningEffort, origin } = fitting;
  if (!origin || reasoningEffort === undefined) return fitting;
  let effort: string | undefined = reasoningEffort;
  while (effort !== undefined && without.has(keyOf(EFFORT, effort))) effort = LOWER.get(effort);
  if (effort === reasoningEffort) return fitting;
  ignored.push('reasoning_effort');
  const { reasoningEffort: _, ...rest } = fitting;
  return effort === undefined ? rest : { ...rest, reasoningEffort: effort };
}

export function wishParts({ maxTokens, reasoningEffort, origin }: ChatRequest): Record<string, unknown> {
  return { ...limitParts(maxTokens), [EFFORT]: origin && reasoningEffort };
}
