import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GatewayError } from './gateway-error';

const JSON_TYPE = 'application/json; charset=utf-8';
/** So many characters are sent before anybody notices. */
const AT_ONCE = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** The same for a body that is a JSON text already. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/** The same, whatever its size: a long one is sent in pieces, and everybody else has their turn between them. */
export function sendLongText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): Promise<void> | undefined {
  if (text.length > AT_ONCE) return sendInPieces(response, status, text, headers);
  sendText(response, status, text, headers);
  return undefined;
}

async function sendInPieces(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): Promise<void> {
  // To make the text took long enough for one turn.
  await nextTurn();
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': bytes.length, ...headers });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await nextTurn();
    if (response.destroyed) return;
    if (!response.write(bytes.subarray(at, at + PIECE_BYTES)) && response.writableNeedDrain) {
      await untilDrained(response);
    }
  }
  response.end();
}

/** Resolves when there is room for more, or nobody who would take it. */
function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

export function sendError(response: ServerResponse, error: GatewayError, headers: Record<string, string> = {}): void {
  sendJson(response, error.status, error.toBody(), { ...headers, ...error.headers });
}
