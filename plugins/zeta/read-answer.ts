import type { ChatEvent, DriverContext, FetchResponse } from 'drivebay/plugin';
import { isFields } from '../_shared/fields';
import type { AnswerReader } from './answer-reader';

/** The events of an answer that came in one piece. A streamed method without server-sent events answers with a list. */
export async function readAnswer(
  response: FetchResponse,
  reader: AnswerReader,
  makeError: DriverContext['error'],
): Promise<ChatEvent[]> {
  const answer: unknown = await response.json();
  const pieces: unknown[] = Array.isArray(answer) ? answer : [answer];
  const events: ChatEvent[] = [];
  for (const piece of pieces) {
    if (!isFields(piece)) throw makeError('protocol', 'the answer is JSON, but no object');
    if (!('candidates' in piece || 'promptFeedback' in piece || 'usageMetadata' in piece || 'error' in piece)) {
      throw makeError(
        'protocol',
        `the answer has no candidates (its fields: ${Object.keys(piece).join(', ') || 'none'})`,
        {
          hint: 'check base_url: is it the native API?',
        },
      );
    }
    reader.read(piece, events);
  }
  if (!reader.hasCandidates && !reader.isFinished) {
    throw makeError('upstream', 'the vendor answered without candidates', { kind: 'empty' });
  }
  reader.conclude(events);
  return events;
}
