import type { Socket } from 'node:net';

/** A longer head is left to undici's parser, which has a limit of its own. */
const LIMIT_BYTES = 16 * 1024;

/** The heads of interim answers, one after the other. A 101 is a final answer. */
const INTERIM_HEADS = /^(?:HTTP\/1\.[01] 1(?!01)\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)+/;
/** The beginning of such a head, whose rest may still arrive. */
const BEGINNING =
  /^(?:HTTP\/1\.[01] 1\d?\d?|HTTP\/1\.[01] ?|H(?:T(?:T(?:P(?:\/(?:1\.?)?)?)?)?)?)$|^HTTP\/1\.[01] 1(?!01)\d\d[^]*$/;
/** Where the status is in `HTTP/1.1 200`. */
const STATUS_AT = 9;
const ONE = 0x31;

/**
 * Takes interim answers (1xx) out of what a socket delivers while `awaitsHead`. Any server may send them, but undici
 * closes the connection on a `100 Continue` that the request has not asked for. Call it before undici has the socket, so
 * that this listener comes before undici's own.
 */
export function skipInterim(socket: Socket, awaitsHead: () => boolean): void {
  let held: Buffer | undefined;
  socket.on('readable', () => {
    if (!awaitsHead()) return;
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    const bytes = held ? Buffer.concat([held, chunk]) : chunk;
    held = undefined;
    const rest = bytes.length > STATUS_AT && bytes[STATUS_AT] !== ONE ? bytes : withoutInterim(bytes);
    if (rest.length < LIMIT_BYTES && BEGINNING.test(rest.toString('latin1', 0, LIMIT_BYTES))) held = rest;
    else if (rest.length > 0) socket.unshift(rest);
  });
}

function withoutInterim(bytes: Buffer): Buffer {
  const [heads = ''] = INTERIM_HEADS.exec(bytes.toString('latin1', 0, LIMIT_BYTES)) ?? [];
  return bytes.subarray(heads.length);
}
