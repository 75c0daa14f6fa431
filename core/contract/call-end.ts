import type { Call } from './api';

/** What ends work early: an `AbortSignal`, or the end of a call. */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: Error | undefined;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends a call early, as an AbortController does. Speed: Node 20 makes a hidden class for each AbortSignal, which is dearer
 * than any other part of a request. So a signal is made for those only that ask for one.
 */
export class CallEnd implements Ending {
  aborted = false;
  reason: Error | undefined;
  private listeners: readonly (() => void)[] = [];
  private controller: AbortController | undefined;

  /** For drivers, and for what Node takes. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener();
    this.controller?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.reason) throw this.reason;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.listeners = [...this.listeners, listener];
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.listeners = this.listeners.filter((each) => each !== listener);
  }
}

/** When a call that a driver hands on ends. The calls of core have their end; others, of a test, have a signal. */
export function endingOf(call: Call & { end?: Ending }): Ending {
  return call.end ?? call.signal;
}
