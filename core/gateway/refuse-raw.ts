import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../errors';
import type { HttpError } from '../serving/http-error';
import type { SpelledError } from './dialect';
import { gatewayError } from './to-http-error';

/** How much of a refused body is still taken in, and how long: a client that writes first and reads then must get on. */
const LINGER_BYTES = 8 * 1024 * 1024;
const LINGER_MS = 1_000;

/**
 * Answers a request whose body is too large, on the bare socket: Node would either read the rest without bound or
 * close at once, and a close with unread bytes makes the client lose the answer.
 */
export function refuseOversized(request: IncomingMessage, error: SpelledError, headers: Record<string, string>): void {
  const { socket } = request;
  socket.write(rawAnswer(error, headers));
  socket.end();
  let left = LINGER_BYTES;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    // Not the end: a close with unread bytes could overtake the answer. The client finds it when it cannot go on.
    if (left < 0) request.pause();
  });
  request.on('end', () => socket.destroySoon()).resume();
  request.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Answers and closes where there is no response object. */
export function refuseRaw(socket: Duplex, error: SpelledError, headers: Record<string, string>): void {
  socket.on('error', () => undefined);
  socket.end(rawAnswer(error, headers));
  // A close with unread bytes could overtake the answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Why something could not be read as a request, or did not arrive in time; undefined when the client hung up. */
export function explainUnreadable(cause: Error): HttpError | undefined {
  switch (codeOf(cause)) {
    case 'ECONNRESET':
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return gatewayError('request_timeout', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return gatewayError('headers_too_large', 'the request headers are too large');
    default:
      return gatewayError('invalid_request', 'this is not a valid HTTP request');
  }
}

function rawAnswer(error: SpelledError, headers: Record<string, string>): string {
  const body = JSON.stringify(error.body);
  const lines = Object.entries({
    ...headers,
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
}
