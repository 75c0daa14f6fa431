import type { Socket } from 'node:net';

/** A longer head is left to undici's parser, which has a limit of its own. */
const LIMIT_BYTES = 16 * 1024;

/** The heads of interim answers, one after the other. A 101 is a final answer. */
const INTERIM_HEADS = /^(?:HTTP\/1\.[01] 1(?!01)\d\d[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n)+/;
const INTERIM_START = /^HTTP\/1\.[01] 1(?!01)/;
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
    const isFinal = bytes.length > STATUS_AT && bytes[STATUS_AT] !== ONE;
    const rest = isFinal ? bytes : withoutInterim(bytes);
    held = !isFinal && mayBecomeInterim(rest) ? rest : undefined;
    if (!held) socket.unshift(rest);
  });
}

function withoutInterim(bytes: Buffer): Buffer {
  const [heads = ''] = INTERIM_HEADS.exec(bytes.toString('latin1', 0, LIMIT_BYTES)) ?? [];
  return bytes.subarray(heads.length);
}

/** Whether more bytes may make this the head of an interim answer, or the first bytes of one. */
function mayBecomeInterim(bytes: Buffer): boolean {
  if (bytes.length >= LIMIT_BYTES) return false;
  const text = bytes.toString('latin1');
  return ['HTTP/1.0 ', 'HTTP/1.1 '].some((start) => start.startsWith(text)) || INTERIM_START.test(text);
}
