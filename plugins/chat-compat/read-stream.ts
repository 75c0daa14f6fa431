import type { ChatEvent, HttpResponse } from 'drivebay/plugin';
import type { MakeError } from './answer-error';
import type { AnswerReader } from './answer-reader';
import { isFields, type Fields } from './fields';

/** How long the usage may follow after the last finish; some servers never end the stream. */
const USAGE_WAIT_MS = 1_000;
const QUOTE_LENGTH = 200;

/** The events of a streamed answer. Stops reading as soon as the answer is known to be complete. */
export async function* readStream(
  response: HttpResponse,
  reader: AnswerReader,
  makeError: MakeError,
): AsyncGenerator<ChatEvent, void, undefined> {
  const pieces = response.events()[Symbol.asyncIterator]();
  const events: ChatEvent[] = [];
  let isEnded = false;
  let patience: Promise<undefined> | undefined;
  try {
    while (!isEnded && !reader.isComplete) {
      if (reader.isFinished) patience ??= wait(USAGE_WAIT_MS);
      const piece = patience ? await lastPiece(pieces, patience) : await pieces.next();
      if (!piece || piece.done) break;
      if (piece.value === '') continue;
      isEnded = piece.value.startsWith('[DONE]');
      if (isEnded) break;
      reader.read(parse(piece.value, makeError), events);
      for (const event of events) yield event;
      events.length = 0;
    }
  } finally {
    // Not awaited: a read may still be pending on a stream that its server never ends.
    void pieces.return?.();
  }
  if (!isEnded && !reader.isFinished) throw makeError('protocol', describeEnd(reader), { kind: 'truncated' });
  reader.conclude(events);
  for (const event of events) yield event;
}

function describeEnd(reader: AnswerReader): string {
  return reader.hasChoices
    ? 'the stream ended in the middle of the answer'
    : 'the stream ended before the answer began';
}

/** After the finish the answer is whole: how the connection ends does not matter any more. */
async function lastPiece(
  pieces: AsyncIterator<string>,
  patience: Promise<undefined>,
): Promise<IteratorResult<string> | undefined> {
  const next = pieces.next().catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'canceled') throw error;
    return undefined;
  });
  // When patience ends first, nobody is left to hear of a cancellation.
  next.catch(() => undefined);
  return Promise.race([next, patience]);
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, undefined).unref();
  });
}

function parse(data: string, makeError: MakeError): Fields {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw makeError('protocol', `a piece of the stream is not JSON: ${data.slice(0, QUOTE_LENGTH)}`, { cause: error });
  }
  if (isFields(value)) return value;
  throw makeError('protocol', `a piece of the stream is no JSON object: ${data.slice(0, QUOTE_LENGTH)}`);
}
