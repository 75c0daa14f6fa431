import type { AbortCode } from '../plugins/api';

/** The reason of a call's signal. */
export class CallAborted extends Error {
  constructor(
    readonly code: AbortCode,
    message: string,
    /** What the user can do about it. */
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'CallAborted';
  }
}

/** Ends a call at its deadline. */
export class CallClock {
  readonly deadline: number;
  private readonly timer: NodeJS.Timeout;

  /** `abort` is the caller's own, so that one signal stands for every end of a call; `hint` says what to do about a late answer. */
  constructor(
    timeoutMs: number,
    arrivedAt: number,
    private readonly abort: AbortController,
    hint: string,
  ) {
    this.deadline = arrivedAt + timeoutMs;
    this.timer = setTimeout(
      () => this.abort.abort(new CallAborted('timeout', `no answer within ${timeoutMs / 1000} s`, hint)),
      Math.max(0, this.deadline - Date.now()),
    );
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
