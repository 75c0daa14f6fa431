import type { IncomingMessage } from 'node:http';
import { messageOf } from '../errors';
import { HttpError } from './http-error';

/** The event of a request whose client has ended it before its body. It has the error that its reader fails with. */
export const CUT_SHORT = 'cutShort';

/**
 * Reads a whole body of at most `limit` bytes. A body whose announced length is over the limit is refused unread; any
 * other is refused as soon as it passes the limit. `code` is the surface's word for that refusal.
 */
export async function readBody(request: IncomingMessage, limit: number, code = 'request_too_large'): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, code, `the body is larger than ${limit} bytes`);
  if (announcesMore(request, limit)) throw tooLarge();
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= limit) {
        pieces.push(piece);
        return;
      }
      request.removeAllListeners('data').pause();
      reject(tooLarge());
    });
    request.on('end', resolve);
    request.on('close', () => {
      if (!request.complete) reject(new HttpError(400, 'invalid_request', 'the request ended before its body'));
    });
    request.on('error', () => undefined);
    request.on(CUT_SHORT, reject);
  });
  // The listeners live as long as the answer. Of the body they hold this list alone.
  return pieces.length === 1 ? pieces.pop()! : Buffer.concat(pieces.splice(0));
}

/** The same for a body of JSON. */
export async function readJson(request: IncomingMessage, limit: number, code?: string): Promise<unknown> {
  const bytes = await readBody(request, limit, code);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new HttpError(400, 'invalid_request', `the body is not JSON: ${messageOf(error)}`);
  }
}

/** Whether the head of a request announces a body over the limit. */
export function announcesMore(request: IncomingMessage, limit: number): boolean {
  return Number(request.headers['content-length'] ?? 0) > limit;
}

/** A web page can send other types without a preflight, so only plain JSON is read. */
export function requireJson({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const isPlain = encoding.toLowerCase() === 'identity';
  if (/^application\/json\s*(;|$)/i.test(type) && isPlain) return;
  const found = isPlain ? `Content-Type "${type}"` : `Content-Encoding "${encoding}"`;
  throw new HttpError(415, 'unsupported_media_type', `${found} is not supported, send plain application/json`);
}
