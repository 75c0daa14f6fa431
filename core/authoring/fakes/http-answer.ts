/** In an answer's pieces: destroys the socket, after what was sent before has left. */
export const CUT: object = Object.freeze({ fault: 'cut' });
/** In an answer's pieces: sends nothing more and keeps the socket open. */
export const STALL: object = Object.freeze({ fault: 'stall' });

/**
 * A piece of a body: an object is sent as one server-sent event, a string or bytes as they are, a number waits so many
 * ms, a promise is waited for, a function is called when its turn comes (and its promise waited for). `CUT` and `STALL` are
 * the faults; as the only piece they come before the response head.
 */
export type HttpPiece = object | string | Uint8Array | number | Promise<unknown> | (() => unknown);

/** One answer of the fake server. Without `CUT` or `STALL` its body ends cleanly. */
export interface HttpAnswer {
  /** Default: 200. */
  status?: number;
  headers?: Record<string, string>;
  /** How long the response head takes, in ms. Default: no time. */
  headDelayMs?: number;
  /** How many bytes one write has, to split events and characters. Default: a piece is one write. */
  split?: number;
  pieces: HttpPiece[];
}

/** Everything about an answer but its body. */
export type HttpAnswerOptions = Omit<HttpAnswer, 'pieces'>;

/** A JSON body. */
export function json(value: unknown, options: HttpAnswerOptions = {}): HttpAnswer {
  return raw([JSON.stringify(value)], {
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
}

/** A stream of server-sent events. */
export function sse(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  return raw(pieces, { ...options, headers: { 'content-type': 'text/event-stream', ...options.headers } });
}

/** Lines of JSON: an object is sent as one of them. */
export function lines(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  return raw(
    pieces.map((piece) => (isValue(piece) ? `${JSON.stringify(piece)}\n` : piece)),
    { ...options, headers: { 'content-type': 'application/x-ndjson', ...options.headers } },
  );
}

function isValue(piece: HttpPiece): boolean {
  if (typeof piece !== 'object' || piece === CUT || piece === STALL) return false;
  return !(piece instanceof Promise || ArrayBuffer.isView(piece));
}

/** Any body. */
export function raw(pieces: HttpPiece[], options: HttpAnswerOptions = {}): HttpAnswer {
  return { ...options, pieces };
}
