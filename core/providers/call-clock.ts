import type { AbortCode } from '../plugins/api';

/** The reason of a call's signal. */
export class CallAborted extends Error {
  constructor(
    readonly code: AbortCode,
    message: string,
  ) {
    super(message);
    this.name = 'CallAborted';
  }
}

/** Ends a call at its deadline or when its caller goes away, whichever is first. */
export class CallClock {
  readonly deadline: number;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly forward = () => this.controller.abort(this.caller.reason);

  constructor(
    timeoutMs: number,
    arrivedAt: number,
    private readonly caller: AbortSignal,
  ) {
    this.deadline = arrivedAt + timeoutMs;
    const message = `no answer within ${timeoutMs / 1000} s`;
    this.timer = setTimeout(
      () => this.controller.abort(new CallAborted('timeout', message)),
      Math.max(0, this.deadline - Date.now()),
    );
    if (caller.aborted) this.forward();
    else caller.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.caller.removeEventListener('abort', this.forward);
  }
}
