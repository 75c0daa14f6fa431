import type { DriverFailure } from 'drivebay/plugin';
import { countOf, textOf, type Fields } from '../fields';
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
  return { code: 'rejected', kind: 'context_overflow', hint: HINT, note: noteOf(error) };
}

/** One server names the numbers beside its words. Programs that shorten a conversation by themselves look for them there. */
function noteOf({ n_prompt_tokens, n_ctx }: Fields): string | undefined {
  const [used, most] = [countOf(n_prompt_tokens), countOf(n_ctx)];
  return used && most && used > most ? `${used} tokens > ${most} maximum` : undefined;
}
