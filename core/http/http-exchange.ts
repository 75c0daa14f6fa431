import type { Dispatcher } from 'undici';
import type { Ending } from '../contract/call-end';
import type { ByteSource } from './parsed-body';

export interface Head {
  status: number;
  headers: Record<string, string>;
}

type State = 'waiting' | 'open' | 'ended' | 'failed';

export interface Connection {
  /** Whether it has carried a request before. */
  isUsed: boolean;
  /** Absent while it is idle, so that it keeps no answer in memory. */
  carries: HttpExchange | undefined;
}

/** With this many unread bytes the socket is paused. */
const HIGH_WATER_BYTES = 64 * 1024;
/** A rest of a body up to this size is read in the background, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1_000;

/** One request on the wire. Undici calls the `on…` methods, and the answer takes the body. */
export class HttpExchange implements Dispatcher.DispatchHandler, ByteSource {
  /** Rejects with undici's own error; the pool decides what it means. */
  readonly head: Promise<Head>;
  /** Set by the connection that was chosen. */
  connection: Connection | undefined;
  isReused = false;
  hasAnswered = false;

  private state: State = 'waiting';
  private controller: Dispatcher.DispatchController | undefined;
  private resolveHead!: (head: Head) => void;
  private rejectHead!: (error: unknown) => void;
  /** What has arrived since the last `take`. */
  private chunks: Uint8Array[] | undefined;
  private unreadBytes = 0;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;
  private drain: { bytes: number; timer: NodeJS.Timeout } | undefined;

  constructor(
    private readonly signal: Ending,
    private readonly explain: (error: unknown) => Error,
  ) {
    this.head = new Promise((resolve, reject) => {
      this.resolveHead = resolve;
      this.rejectHead = reject;
    });
    signal.addEventListener('abort', this.onAbort);
  }

  /** Resolves with everything that has arrived since, or with undefined at the end of the body. */
  take(): Promise<Uint8Array[] | undefined> {
    const mustWait = !this.chunks && this.state === 'open' && !this.drain;
    const arrival = mustWait ? new Promise<void>((resolve) => (this.wake = resolve)) : Promise.resolve();
    return arrival.then(this.takeNow);
  }

  private readonly takeNow = (): Uint8Array[] | undefined => {
    const taken = this.chunks;
    // The bytes that arrived before a failure are still delivered.
    if (!taken) {
      if (this.failure) throw this.failure;
      return undefined;
    }
    this.chunks = undefined;
    this.unreadBytes = 0;
    this.controller?.resume();
    return taken;
  };

  release(): void {
    if (this.state !== 'open' || this.drain) return;
    this.chunks = undefined;
    this.drain = { bytes: 0, timer: setTimeout(() => this.discard(), DRAIN_MS).unref() };
    this.wakeReader();
    this.controller?.resume();
  }

  /** Gives the connection up at once. */
  discard(): void {
    if (this.state !== 'open') return;
    this.chunks = undefined;
    this.settle('ended');
    this.controller?.abort(new Error('discarded'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.connection) {
      this.isReused = this.connection.isUsed;
      this.connection.isUsed = true;
    }
    // The signal fired while the request waited for its connection.
    if (this.state === 'failed') controller.abort(new Error('aborted'));
  }

  onResponseStarted(): void {
    this.hasAnswered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return;
    // They would stay as long as the answer: a buffer for each name and each value, and all that came in the first packet.
    controller.rawHeaders = null;
    this.state = 'open';
    this.resolveHead({ status, headers: flatten(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.drain) {
      this.drain.bytes += chunk.length;
      if (this.drain.bytes > DRAIN_BYTES) this.discard();
      return;
    }
    // Speed: most chunks come alone, and a list that grows takes room for many.
    if (this.chunks) this.chunks.push(chunk);
    else this.chunks = [chunk];
    this.unreadBytes += chunk.length;
    if (this.unreadBytes >= HIGH_WATER_BYTES) controller.pause();
    this.wakeReader();
  }

  onResponseEnd(): void {
    this.settle('ended');
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private readonly onAbort = (): void => {
    this.chunks = undefined;
    this.fail(this.signal.reason);
    this.controller?.abort(new Error('aborted'));
  };

  private fail(error: unknown): void {
    if (this.state === 'ended' || this.state === 'failed') return;
    if (this.state === 'waiting') this.rejectHead(error);
    else if (!this.drain) this.failure = this.explain(error);
    this.settle('failed');
  }

  private settle(state: 'ended' | 'failed'): void {
    this.state = state;
    if (this.connection?.carries === this) this.connection.carries = undefined;
    this.signal.removeEventListener('abort', this.onAbort);
    clearTimeout(this.drain?.timer);
    this.wakeReader();
  }

  private wakeReader(): void {
    const wake = this.wake;
    this.wake = undefined;
    wake?.();
  }
}

function flatten(headers: Record<string, unknown>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return flat;
}
