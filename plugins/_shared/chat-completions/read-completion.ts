import type { ChatEvent } from 'drivebay/plugin';
import type { WireAnswer } from './answer';
import { findAnswerError, type MakeError } from './answer-error';
import type { AnswerReader } from './answer-reader';
import { isFields } from '../fields';

/** The events of an answer that came in one piece. */
export async function readCompletion(
  wire: WireAnswer,
  reader: AnswerReader,
  makeError: MakeError,
): Promise<ChatEvent[]> {
  const answer = await wire.json();
  if (!isFields(answer)) throw makeError('protocol', 'the answer is JSON, but no object');
  const error = findAnswerError(answer, makeError);
  if (error) throw error;
  if (!Array.isArray(answer.choices)) {
    throw makeError('protocol', `the answer has no choices (its fields: ${Object.keys(answer).join(', ') || 'none'})`, {
      hint: 'check base_url: is it a chat-completions endpoint?',
    });
  }
  const events: ChatEvent[] = [];
  reader.read(answer, events);
  if (!reader.hasChoices)
    throw makeError('upstream', 'the server answered with an empty list of choices', { kind: 'empty' });
  reader.conclude(events);
  return events;
}
