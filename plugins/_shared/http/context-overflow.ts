import type { DriverFailure } from 'drivebay/plugin';
import { countOf, textOf } from '../fields';
import { errorIn, type Advice } from './explain-error';

/** How vendors and servers say that a conversation is too long, as recorded in test/plugins/recorded-overflows.ts. */
const WORDS = [
  /prompt (?:is )?too long/i,
  /\binput (?:token count|length|tokens?)\b.*\bexceed(?:s|ed)?\b/i,
  /exceed(?:s|ed)? (?:the |its )?(?:available |maximum |model'?s? |configured )*(?:context|token limit|limit of \d+ tokens)/i,
  /(?:context|prompt) length (?:is|of)(?: only)? \d+/i,
  /(?:larger|longer|greater|more) than the (?:model'?s? )?(?:maximum )?context/i,
  /reduce the length of the (?:messages|input|prompt)/i,
  /too large for model with \d+ maximum context length/i,
  /token count .*exceeds the (?:maximum|limit)/i,
];

const STATUS = new Set<number | undefined>([400, 413, 422, 500]);
const HINT = 'shorten the conversation, or use a model with a larger context window';

/** What two numbers of a sentence mean: the tokens of the conversation, and those that the model takes. */
const COUNTS: [words: RegExp, usedFirst: boolean][] = [
  [/(\d+) tokens > (\d+) maximum/, true],
  [/token count \((\d+)\) exceeds the maximum number of tokens allowed \((\d+)\)/i, true],
  [/token count of (\d+) exceeds the limit of (\d+)/i, true],
  [/tokens \((\d+)\) (?:has )?exceeded [\w ]*\((\d+)\)/i, true],
  [/input \((\d+) tokens\) is longer than .*context length \((\d+)/i, true],
  [/token limit: (\d+) \(requested: (\d+)\)/i, false],
  [/request \((\d+) tokens\) exceeds the available context size \((\d+)/i, true],
  [/prompt contains (\d+) tokens.*with (\d+) maximum/i, true],
  [/prompt is too long: (\d+), model maximum context length: (\d+)/i, true],
  [/current length is (\d+) while limit is (\d+)/i, true],
  [/context length is (\d+).*prompt contains (?:at least )?(\d+) input tokens/i, false],
  [/(?:limit|context length|prompt length)(?: of| is)? (\d+).*?(?:resulted in|requested(?: about)?|has|contains(?: at least)?) (\d+)/i, false],
]; // prettier-ignore

/** Whether a refusal says that the conversation is too long for the model. */
export function overflowAdvice({ status, message, answer }: DriverFailure): Advice | undefined {
  if (!STATUS.has(status)) return undefined;
  const error = errorIn(answer);
  const type = textOf(error.type);
  const isOverflow =
    error.code === 'context_length_exceeded' ||
    type === 'exceed_context_size_error' ||
    WORDS.some((words) => words.test(message));
  if (!isOverflow) return undefined;
  const counts = countsOf(message) ?? { used: countOf(error.n_prompt_tokens), most: countOf(error.n_ctx) };
  return { code: 'rejected', kind: 'context_overflow', hint: HINT, note: noteOf(message, counts) };
}

interface Counts {
  used: number | undefined;
  most: number | undefined;
}

/** Some backends group the digits of a number. */
const GROUPING = /(?<=\d),(?=\d{3}(?!\d))/g;

function countsOf(message: string): Counts | undefined {
  const plain = message.replace(GROUPING, '');
  for (const [words, usedFirst] of COUNTS) {
    const found = words.exec(plain);
    if (!found) continue;
    const [first, second] = [Number(found[1]), Number(found[2])];
    return usedFirst ? { used: first, most: second } : { used: second, most: first };
  }
  return undefined;
}

/** The numbers in one form, whatever the vendor's is: programs that shorten a conversation by themselves need them. */
function noteOf(message: string, { used, most }: Counts): string | undefined {
  if (used === undefined || most === undefined || used <= most) return undefined;
  const note = `${used} tokens > ${most} maximum`;
  return message.includes(note) ? undefined : note;
}
