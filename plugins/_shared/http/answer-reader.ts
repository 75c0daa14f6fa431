import type { ChatEvent } from 'drivebay/plugin';
import { isFields, type Fields } from '../fields';
import type { MakeError } from './explain-error';

/** Reads the answers of one API. Events are appended to a list, because one piece may give none or several. */
export interface AnswerReader {
  /** The server has said its last word: nothing more needs to be read. */
  readonly isComplete: boolean;
  /** How long the stream may stay silent from here and still count as complete; undefined before the end is seen. */
  readonly patienceMs: number | undefined;
  /** Reads one piece of a stream. Throws the error that the server reports in it. */
  read(piece: Fields, events: ChatEvent[]): void;
  /** Appends what comes last, at the end of a stream. Throws when the answer was cut short. `isSaid`: by `[DONE]`. */
  conclude(events: ChatEvent[], isSaid: boolean): void;
  readWhole(answer: unknown, events: ChatEvent[]): void;
}

/** Some servers answer a streamed request with one JSON object, some the other way round: the answer's type decides. */
export function isStream(wasAsked: boolean, contentType = ''): boolean {
  if (/^text\/event-stream/i.test(contentType)) return true;
  return wasAsked && !/^(application\/json|text\/html)/i.test(contentType);
}

export function truncated(makeError: MakeError, hasBegun: boolean): Error {
  const where = hasBegun ? 'in the middle of the answer' : 'before the answer began';
  return makeError('protocol', `the stream ended ${where}`, { kind: 'truncated' });
}

/** The object that a whole answer has to be. */
export function objectIn(answer: unknown, makeError: MakeError): Fields {
  if (isFields(answer)) return answer;
  throw makeError('protocol', 'the answer is JSON, but no object');
}

/** The error for an object that is no answer of the API: it lacks the field that every answer has. */
export function foreignAnswer(answer: Fields, missing: string, hint: string, makeError: MakeError): Error {
  const names = Object.keys(answer).join(', ') || 'none';
  return makeError('protocol', `the answer has no ${missing} (its fields: ${names})`, { hint });
}
