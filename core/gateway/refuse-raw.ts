import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from '../errors';
import type { HttpError } from '../serving/http-error';
import type { SpelledError } from './dialect';
import { gatewayError } from './to-http-error';

/** How much of a refused body is still read, and for how long: some clients read the answer only after they wrote it all. */
const LINGER_BYTES = 8 * 1024 * 1024;
const LINGER_MS = 1_000;

/**
 * Answers a request whose body is too large, on the bare socket. Node would either read the rest without bound or close
 * at once, and a close with unread bytes makes the client lose the answer.
 */
export function refuseOversized(
  request: IncomingMessage,
  response: ServerResponse,
  error: SpelledError,
  headers: Record<string, string>,
): void {
  // The answer to an earlier request of the connection comes first.
  if (response.socket) refuseBody(request, error, headers);
  else response.once('socket', () => refuseBody(request, error, headers));
}

function refuseBody(request: IncomingMessage, error: SpelledError, headers: Record<string, string>): void {
  const { socket } = request;
  answerRaw(socket, error, headers);
  let left = LINGER_BYTES;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    // The socket stays open for the same reason. The client reads the answer when it cannot go on writing.
    if (left < 0) request.pause();
  });
  request.on('end', () => socket.destroySoon()).resume();
  request.on('error', () => undefined);
}

/** Answers and closes where there is no response object. */
export function refuseRaw(socket: Duplex, error: SpelledError, headers: Record<string, string>): void {
  socket.on('error', () => undefined);
  answerRaw(socket, error, headers);
  // Bytes are read, because a close with unread ones could overtake the answer.
  socket.resume();
}

/** Says why bytes are no request, or came too late; undefined when the client has hung up. `isBody`: the head was read. */
export function explainUnreadable(cause: Error, isBody: boolean): HttpError | undefined {
  const code = codeOf(cause);
  if (code === 'HPE_INVALID_EOF_STATE' && isBody)
    return gatewayError('invalid_request', 'the request ended before its body', { headers: { connection: 'close' } });
  switch (code) {
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

function answerRaw(socket: Duplex, { status, body, headers }: SpelledError, more: Record<string, string>): void {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...more,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
