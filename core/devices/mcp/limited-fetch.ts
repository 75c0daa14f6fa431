import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { HttpClient } from '../../contract/api';
import { isFields, parseJson } from '../../fields';
import { inBatch, isId } from './read-message';
import { readableAnswers } from './readable-answers';
import { UnaskedLimit } from './unasked-limit';

/** Answers to them have no body, and the platform's class refuses to make one with a body. */
const BODILESS = new Set([204, 205, 304]);

interface Listener {
  /** The limit is reached: the SDK would wait on for the answer. */
  onExcess: (error: Error) => void;
  /** Takes our answer to something that is no valid request. */
  refuse: (message: JSONRPCMessage) => void;
  /** The stream that brings all answers has ended; absent where each question has an answer of its own. */
  onEnd?: () => void;
}

/** A `fetch` whose answers together have a limit, counted anew with each message that is sent. */
export function limitFetch(
  fetch: HttpClient['fetch'],
  { onExcess, refuse, onEnd }: Listener,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const limit = new UnaskedLimit();
  return async (url, init = {}) => {
    if (init.method?.toUpperCase() === 'POST') limit.reset();
    const { status, headers, body } = await fetch(url, init);
    if (body === null || BODILESS.has(status)) return new Response(null, { status, headers });
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        try {
          limit.note(piece.byteLength, 0);
          controller.enqueue(piece);
        } catch (error) {
          controller.error(error);
          onExcess(error as Error);
        }
      },
    });
    const limited = body.pipeThrough(counted);
    const asked = { refuse, waiting: requestsIn(init.body) };
    const readable = status < 300 ? readableAnswers(headers.get('content-type') ?? '', limited, asked) : undefined;
    const answer = readable ?? limited;
    const isStream = onEnd && init.method?.toUpperCase() !== 'POST' && status < 300;
    return new Response(isStream ? ReadableStream.from(thenTell(answer, onEnd)) : answer, { status, headers });
  };
}

/** The ids of what is asked. */
function requestsIn(body: RequestInit['body']): Set<RequestId> {
  const messages = typeof body === 'string' ? inBatch(parseJson(body)).filter(isFields) : [];
  return new Set(messages.filter(({ method }) => method !== undefined).flatMap(({ id }) => (isId(id) ? [id] : [])));
}

async function* thenTell(body: ReadableStream<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    onEnd();
  }
}
