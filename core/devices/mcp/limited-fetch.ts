import type { HttpClient } from '../../contract/api';
import { UnaskedLimit } from './unasked-limit';

/** Answers to them have no body, and the platform's class refuses to make one with a body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` whose answers together have a limit, counted anew with each message that is sent. `onExcess` is told when it is
 * reached: the SDK would wait on for the answer.
 */
export function limitFetch(
  fetch: HttpClient['fetch'],
  onExcess: (error: Error) => void,
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
    return new Response(body.pipeThrough(counted), { status, headers });
  };
}
