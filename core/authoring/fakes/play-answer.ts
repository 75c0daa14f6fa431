import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { untilDrained } from '../../serving/send';
import { CUT, type HttpAnswer, STALL } from './http-answer';

/** Sends an answer piece by piece. */
export async function playAnswer(answer: HttpAnswer, response: ServerResponse): Promise<void> {
  if (answer.headDelayMs !== undefined) await sleep(answer.headDelayMs);
  for (const piece of answer.pieces) {
    if (response.destroyed || piece === STALL) return;
    if (piece === CUT) {
      // The pieces before the cut must reach the client.
      await turn();
      response.socket?.destroy();
      return;
    }
    if (!response.headersSent) {
      response.writeHead(answer.status ?? 200, answer.headers);
      response.flushHeaders();
    }
    if (typeof piece === 'number') await sleep(piece);
    else if (piece instanceof Promise) await piece;
    else if (typeof piece === 'function') await (piece as () => unknown)();
    else await write(response, toBytes(piece), answer.split);
  }
  if (!response.headersSent) response.writeHead(answer.status ?? 200, answer.headers);
  response.end();
}

/** The bytes of a piece on the wire. */
export function toBytes(piece: object | string): Uint8Array {
  // Not `instanceof`: under jest bytes may come from another realm.
  if (ArrayBuffer.isView(piece)) return piece as Uint8Array;
  return Buffer.from(typeof piece === 'string' ? piece : `data: ${JSON.stringify(piece)}\n\n`);
}

/** Waits while the socket is full, so that a client that does not read stops the server. */
async function write(response: ServerResponse, bytes: Uint8Array, split = bytes.length): Promise<void> {
  for (let start = 0; start < bytes.length && !response.destroyed; start += split) {
    const isFree = response.write(bytes.subarray(start, start + split));
    if (!isFree) await untilDrained(response);
    if (split < bytes.length) await turn();
  }
}
