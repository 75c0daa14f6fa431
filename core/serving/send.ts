import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atTurnEnd } from './turn-end';

type Headers = Record<string, string>;

const JSON_TYPE = 'application/json; charset=utf-8';
/** A text of up to this many characters is sent at once: it blocks other requests for a few ms at most. */
const AT_ONCE = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** Sends a value as JSON. Node leaves the body out of an answer to HEAD. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  sendBody(response, status, JSON.stringify(body), headers);
}

/** Sends a body that is JSON already, or that `headers` give another `content-type`. */
export function sendBody(response: ServerResponse, status: number, body: string | Buffer, headers: Headers = {}): void {
  writeHead(response, status, body, headers).end(body);
}

/** Speed: node checks every entry of an object first, and a copy of one is made name by name. So names and values come in turn. */
function writeHead(response: ServerResponse, status: number, body: string | Buffer, headers: Headers): ServerResponse {
  const head = ['content-type', headers['content-type'] ?? JSON_TYPE, 'content-length', Buffer.byteLength(body)];
  for (const name in headers) if (name !== 'content-type') head.push(name, headers[name]!);
  return response.writeHead(status, head);
}

/**
 * Like sendBody. A long text is sent in pieces, so that other requests are served in between. `isAlone`: no other call is under
 * way, so nothing can leave together with this answer. A promise resolves when the answer is sent, or its client has left.
 */
export function sendLongText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers,
  isAlone = true,
): Promise<void> | undefined {
  if (text.length > AT_ONCE) return sendInPieces(response, status, text, headers);
  if (!isAlone) return sendAtTurnEnd(writeHead(response, status, text, headers), text);
  sendBody(response, status, text, headers);
  return undefined;
}

function sendAtTurnEnd(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    atTurnEnd(() => {
      response.end(text);
      resolve();
    });
  });
}

async function sendInPieces(response: ServerResponse, status: number, text: string, headers: Headers): Promise<void> {
  // Making the text has already blocked other requests for a while.
  await nextTurn();
  const bytes = Buffer.from(text);
  writeHead(response, status, bytes, headers);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await nextTurn();
    if (response.destroyed) return;
    if (!response.write(bytes.subarray(at, at + PIECE_BYTES))) await untilDrained(response);
  }
  response.end();
}

/** Resolves when the client has taken what was written, or will take no more: it is gone, or `gone` has fired. */
export function untilDrained(response: ServerResponse, gone?: AbortSignal): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed || gone?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      gone?.removeEventListener('abort', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
    gone?.addEventListener('abort', settle);
  });
}
