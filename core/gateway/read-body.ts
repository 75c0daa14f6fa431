import type { IncomingMessage } from 'node:http';
import { GatewayError } from './gateway-error';

const BODY_LIMIT = 4 * 1024 * 1024;

/** Reads a whole body. One that says it is too large is refused by its head, one that turns out so at the limit. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (isOversized(request)) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= BODY_LIMIT) {
        pieces.push(piece);
        return;
      }
      request.removeAllListeners('data').pause();
      reject(tooLarge());
    });
    request.on('end', () => {
      resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
      // The request lives as long as its answer, and so would the body.
      pieces.length = 0;
    });
    request.on('close', () => {
      if (!request.complete) reject(new GatewayError('invalid_request', 'the request ended before its body'));
    });
    request.on('error', () => undefined);
  });
}

/** By what the head announces. */
export function isOversized(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > BODY_LIMIT;
}

function tooLarge(): GatewayError {
  return new GatewayError('request_too_large', `the body is larger than ${BODY_LIMIT} bytes`);
}
