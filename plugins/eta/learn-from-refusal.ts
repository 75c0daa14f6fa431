import type { DriverFailure } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/fields';
import { type Habits, pairOf } from './model-habits';
import type { Concessions, RequestBody } from './request-body';

/** Without these the answer would be to another question: their refusal is the client's to hear. */
const ESSENTIAL = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'tools',
  'tool_choice',
  'output_config',
  'thinking',
  'stop_sequences',
]);

const PATH = /^([a-z_]+)((?:\.[\w-]+)*): /;
const SUBJECT = /^[`'"]?([a-z_]+)[`'"]? (?:and|is|are|may|must|can|cannot|does|has)\b/;
const NAMED = /\b(?:argument|field|input|parameter|property)s?:? [`'"]?([a-z_]+)/i;
const UNKNOWN =
  /extra inputs|not (supported|permitted|allowed)|unsupported|deprecated|unknown|unrecognized|not support|no longer/i;
/** The value is as good as any, but not here: beside another field, or on this model. */
const CONDITION = /\b(when|while|with|unless|both|only)\b/i;

/**
 * Reads why the vendor refused a request, and notes what would make it pass. Returns what is left out from now on, for the
 * log; undefined when the refusal is the client's to hear. Only what was sent can be left out, so asking again comes to an
 * end. What is known of the model by now does not count: a request that was under way at the same time may have told it.
 */
export function learnFromRefusal(
  failure: DriverFailure,
  sent: RequestBody,
  habits: Habits,
  without: Concessions,
): string | undefined {
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const words = wordsOf(failure);
  return (
    learnField(words, sent, habits) ??
    learnStrict(words, sent, habits) ??
    learnThinking(words, sent, habits) ??
    learnLimit(words, sent, habits) ??
    learnBreakpoints(words, sent, habits, without) ??
    learnThoughts(words, without)
  );
}

/** The vendor's own words; the message has host and status before them. */
function wordsOf({ answer, message }: DriverFailure): string {
  const error = isFields(answer) && isFields(answer.error) ? answer.error : {};
  return textOf(error.message) ?? message.slice(message.indexOf(': ') + 2);
}

/** A field of the client that the vendor refuses by its name, at all or with this value. A bad value is the client's to hear. */
function learnField(words: string, { body }: RequestBody, habits: Habits): string | undefined {
  const field = (PATH.exec(words) ?? SUBJECT.exec(words) ?? NAMED.exec(words))?.[1];
  if (field === undefined || ESSENTIAL.has(field) || !Object.hasOwn(body, field)) return undefined;
  if (CONDITION.test(words)) habits.values.add(pairOf(field, body[field]));
  else if (UNKNOWN.test(words)) habits.fields.add(field);
  else return undefined;
  return field;
}

function learnStrict(words: string, { hasStrictTools }: RequestBody, habits: Habits): string | undefined {
  if (!hasStrictTools || !/^tools\.[\w.-]*\bstrict\b|strict tools?\b/i.test(words)) return undefined;
  habits.takesStrictTools = false;
  return 'strict tools';
}

/** Newer models refuse the form with a budget, older ones the form without. */
function learnThinking(words: string, { body, hasOwnThinking }: RequestBody, habits: Habits): string | undefined {
  if (hasOwnThinking || !isFields(body.thinking)) return undefined;
  if (body.thinking.type === 'enabled') {
    if (!/thinking\.type|^thinking: extra|thinking[^.]*not support|not support[^.]*thinking/i.test(words))
      return undefined;
    habits.takesBudget = false;
    return 'a thinking budget';
  }
  if (body.thinking.display !== undefined && /\bdisplay\b/.test(words)) {
    habits.takesDisplay = false;
    return 'thinking.display';
  }
  if (!/adaptive|thinking\.type|^thinking\b|not support[^.]*thinking/i.test(words)) return undefined;
  habits.takesAdaptive = false;
  return 'adaptive thinking';
}

/** The limit that we have chosen may be more than a small model can write. */
function learnLimit(words: string, { body, isOwnLimit }: RequestBody, habits: Habits): string | undefined {
  const most = Number(/max_tokens: \d+ > (\d+)/.exec(words)?.[1]);
  if (!isOwnLimit || !(most > 0 && most < Number(body.max_tokens))) return undefined;
  habits.mostTokens = most;
  return `more than ${most} output tokens`;
}

/** The client's own breakpoints may be what is wrong: then ours are left out of this request only. */
function learnBreakpoints(
  words: string,
  { breakpoints }: RequestBody,
  habits: Habits,
  without: Concessions,
): string | undefined {
  if (breakpoints.own === 0 || !words.includes('cache_control')) return undefined;
  if (breakpoints.theirs === 0) habits.takesBreakpoints = false;
  else without.breakpoints = true;
  return 'cache_control';
}

/** Thinking of another model, or of a conversation that was shortened: the answer matters more. */
function learnThoughts(words: string, without: Concessions): string | undefined {
  if (without.thoughts || !/signature|thinking[`'"]? (or|blocks?)\b|expected [`'"]?thinking/i.test(words))
    return undefined;
  without.thoughts = true;
  return 'the thinking of earlier turns';
}
