import type { MakeError } from './explain-error';
import type { LeftOut, Refusal } from './refusals';

/** Under these names a refusal of the limit of output tokens is remembered: of the model, and of one conversation. */
const MOST = 'token limit';
const ROOM = 'token room';
/** With less room than this no answer is worth the request. */
const LEAST_ROOM = 512;

/** Sentences that name the most output tokens of a model, as recorded in test/plugins/recorded-limits.ts. */
const MOST_WORDS = [
  /max_tokens: \d+ > \d+/g,
  /supports at most \d+ completion tokens/g,
  /range of max_tokens (?:is|should be) \[\d+, ?\d+\]/gi,
  /max_(?:completion_)?tokens`?(?: for `[^`]+`)? must be less than or equal to `?\d+/g,
  /max_(?:completion_)?tokens\b.*expected a value <= \d+/g,
  /maxOutputTokens value of \d+ but the supported range is from \d+ \(inclusive\) to \d+ \(exclusive\)/g,
];

/** Sentences that name the room which the conversation leaves, with the way to find it among their numbers. */
const ROOM_WORDS: [words: RegExp, room: (numbers: number[]) => number][] = [
  [/max_tokens` exceed context limit: \d+ \+ \d+ > \d+/g, ([input, , window]) => window! - input!],
  [
    /context length is \d+ tokens[.,] however,? you requested (?:about )?\d+ tokens \(.*?\d+ (?:in|for) the (?:completion|output)\)/gi,
    (numbers) => numbers[0]! - numbers[1]! + numbers.at(-1)!,
  ],
  [/context length is +\d+ tokens and your request has \d+ input tokens/g, ([window, input]) => window! - input!],
  [
    /context length is \d+ tokens\. However, you requested \d+ output tokens and your prompt contains (?:at least )?\d+ input tokens/g,
    ([window, , input]) => window! - input!,
  ],
];

/** The refusals of a limit. `limitParts` are the parts of a request that they mean. */
export const LIMIT_REFUSALS: readonly Refusal[] = [
  ...ROOM_WORDS.map(([words]): Refusal => ({ words, parts: [ROOM], scope: 'request' })),
  ...MOST_WORDS.map((words): Refusal => ({ words, parts: [MOST] })),
];

/** To be sent along with the parts of a request whose limit may be lowered. */
export function limitParts(limit: number | undefined): Record<string, unknown> {
  return { [MOST]: limit, [ROOM]: limit };
}

/** The limit to ask for: what was wished, less what the model has refused. Throws where the conversation leaves no room. */
export function fitLimit<Limit extends number | undefined>(wish: Limit, without: LeftOut, makeError: MakeError): Limit {
  if (wish === undefined) return wish;
  const room = roomIn(without.get(ROOM));
  if (room < Math.min(LEAST_ROOM, wish)) {
    throw makeError('rejected', without.get(ROOM)!, { kind: 'context_overflow', status: 400 });
  }
  return Math.min(wish, room, mostTokens(without)) as Limit;
}

/** The most output tokens that the model can be asked for. */
export function mostTokens(without: LeftOut): number {
  const words = without.get(MOST);
  if (words === undefined) return Infinity;
  const most = numbersIn(words).at(-1) ?? 0;
  if (most < 1) return Infinity;
  return words.includes('exclusive') ? most - 1 : most;
}

function roomIn(words: string | undefined): number {
  if (words === undefined) return Infinity;
  const found = ROOM_WORDS.find(([pattern]) => words.match(pattern));
  return found ? found[1](numbersIn(words)) : Infinity;
}

function numbersIn(words: string): number[] {
  return [...words.matchAll(/\d+/g)].map(Number);
}
