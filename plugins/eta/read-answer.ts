import type { ChatEvent, HttpResponse } from 'drivebay/plugin';
import { isFields } from '../_shared/fields';
import { findAnswerError, type MakeError } from './answer-error';
import type { AnswerReader } from './answer-reader';

/** The events of an answer that came in one piece. */
export async function readAnswer(
  response: HttpResponse,
  reader: AnswerReader,
  makeError: MakeError,
): Promise<ChatEvent[]> {
  const message = await response.json();
  if (!isFields(message)) throw makeError('protocol', 'the answer is JSON, but no object');
  const error = findAnswerError(message, makeError);
  if (error) throw error;
  const events: ChatEvent[] = [];
  reader.readWhole(message, events);
  return events;
}
