/** A piece that destroys the socket after the earlier pieces have left. */
export const CUT: object = Object.freeze({ fault: 'cut' });
/** A piece that sends nothing more and keeps the socket open. */
export const STALL: object = Object.freeze({ fault: 'stall' });

/**
 * A piece of a body. The server sends an object as one server-sent event, and a string or bytes unchanged. It waits for a
 * number of ms, or for a promise. It calls a function and waits for its promise. `CUT` and `STALL` are the faults; as the
 * only piece they replace the response head.
 */
export type HttpPiece = object | string | Uint8Array | number | Promise<unknown> | (() => unknown);

/** An answer of the fake server. Without `CUT` or `STALL` its body ends cleanly. */
export interface HttpAnswer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** The delay of the response head in ms. Default: 0. */
  headDelayMs?: number;
  /** The number of bytes in one write, to split events and characters. Default: one write per piece. */
  split?: number;
  pieces: HttpPiece[];
}

/** An answer without its body. */
export type HttpAnswerOptions = Omit<HttpAnswer, 'pieces'>;

/** A JSON body. */
export function json(value: unknown, options: HttpAnswerOptions = {}): HttpAnswer {
  return withType('application/json', [JSON.stringify(value)], options);
}

/** A stream of server-sent events. */
export function sse(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  return withType('text/event-stream', pieces, options);
}

/** Lines of JSON, one per object. */
export function lines(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  const written = pieces.map((piece) => (isValue(piece) ? `${JSON.stringify(piece)}\n` : piece));
  return withType('application/x-ndjson', written, options);
}

function withType(type: string, pieces: HttpPiece[], options: HttpAnswerOptions): HttpAnswer {
  return raw(pieces, { ...options, headers: { 'content-type': type, ...options.headers } });
}

/** Whether it is a part of the body, and not a wait or a fault. */
export function isBody(piece: HttpPiece): piece is object | string {
  return typeof piece === 'string' || ArrayBuffer.isView(piece) || isValue(piece);
}

function isValue(piece: HttpPiece): boolean {
  if (typeof piece !== 'object' || piece === CUT || piece === STALL) return false;
  return !(piece instanceof Promise || ArrayBuffer.isView(piece));
}

/** Any body. */
export function raw(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  return { ...options, pieces };
}
