import type { Socket } from 'node:net';

/** Longer heads are left to the parser, which has a limit of its own. */
const LIMIT_BYTES = 16 * 1024;

/** The heads of interim answers, one after the other. Not 101: that one is an answer. */
const INTERIM_HEADS = /^(?:HTTP\/1\.[01] 1(?!01)\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)+/;
/** What may become one when more has arrived. */
const BEGINNING =
  /^(?:HTTP\/1\.[01] 1\d?\d?|HTTP\/1\.[01] ?|H(?:T(?:T(?:P(?:\/(?:1\.?)?)?)?)?)?)$|^HTTP\/1\.[01] 1(?!01)\d\d[^]*$/;
/** Where the status is in `HTTP/1.1 200`. */
const STATUS_AT = 9;
const ONE = 0x31;

/**
 * Takes interim answers (1xx) out of what a socket delivers while `awaitsHead`. Any server may send them, but the
 * library hangs up on a `100 Continue` that it has not asked for.
 */
export function skipInterim(socket: Socket, awaitsHead: () => boolean): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let held: Buffer | undefined;
  socket.read = (size?: number) => {
    let chunk = read(size);
    if (chunk === null) return null;
    if (held) chunk = Buffer.concat([held, chunk]);
    held = undefined;
    if (!awaitsHead() || (chunk.length > STATUS_AT && chunk[STATUS_AT] !== ONE)) return chunk;
    const text = chunk.toString('latin1', 0, LIMIT_BYTES);
    const end = INTERIM_HEADS.exec(text)?.[0].length ?? 0;
    const rest = chunk.subarray(end);
    if (rest.length < LIMIT_BYTES && BEGINNING.test(text.slice(end))) {
      held = rest;
      return null;
    }
    return rest.length === 0 ? null : rest;
  };
}
