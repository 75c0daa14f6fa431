import type { AbortCode } from '../contract/api';
import type { CallEnd, Ending } from '../contract/call-end';
import type { ProviderSettings } from './settings';

export class CallAborted extends Error {
  constructor(
    readonly code: AbortCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'CallAborted';
  }
}

export class CallClock {
  private end = Infinity;
  private timer: NodeJS.Timeout | undefined;

  /** `abort` is the one signal for every end of the call. `hint` says what to do about a late answer. */
  constructor(
    private readonly timeoutMs: number,
    private readonly abort: CallEnd,
    private readonly hint: () => string,
  ) {}

  /** When the call times out, in ms since the epoch; `Infinity` before the clock is started. */
  get deadline(): number {
    return this.end;
  }

  /** The time counts from `since`, in ms since the epoch. */
  start(since: number): this {
    this.end = since + this.timeoutMs;
    this.timer = setTimeout(
      () => this.abort.abort(new CallAborted('timeout', `no answer within ${this.timeoutMs / 1000} s`, this.hint())),
      Math.max(0, this.end - Date.now()),
    );
    return this;
  }

  get signal(): Ending {
    return this.abort;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it fires, whatever `work` does. */
export function untilAborted<T>(work: Promise<T>, signal: Ending): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason!));
    work.then(resolve, reject).finally(forget);
  });
}

/** Acts when the signal fires, and at once where it has fired. Call the returned function when it is no longer needed. */
export function onAbort(signal: Ending, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act);
  return () => signal.removeEventListener('abort', act);
}

/** How long a call may take, in ms. */
export function timeoutMs(
  { timeoutSec, driverKind }: ProviderSettings,
  isStream: boolean,
  patienceS = Infinity,
): number {
  // Node's fetch gives a silent answer up after 300 s and asks again: an answer in one piece has to be there before.
  const usual = driverKind === 'cli' ? 300 : isStream ? 600 : 290;
  const seconds = timeoutSec || Math.min(usual, patienceS);
  return seconds * 1000;
}

/** What to do about an answer that came too late. */
export function timeoutHint({ name, driverKind }: ProviderSettings, isSilent: boolean, given?: string): string {
  const wait = given ?? `to wait longer, raise timeout_sec of provider "${name}" in providers.yaml`;
  if (driverKind !== 'cli' || !isSilent) return wait;
  return `it said nothing at all: it may wait for a login or a permission, run it once in a terminal; ${wait}`;
}
