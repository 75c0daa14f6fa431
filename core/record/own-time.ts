/**
 * The part of a request that is our own work: its time without that of its client, of its queue and of its driver. The work
 * between two pieces of a stream counts as the driver's, because measuring it would cost each piece more than it is worth.
 */
export class OwnTime {
  private othersMs = 0;
  private pausedAt: number | undefined;

  /** On the clock of `performance`. */
  constructor(private readonly startedMs: number) {}

  /** From now on the request waits for others. */
  pause(): void {
    this.pausedAt ??= performance.now();
  }

  /** Returns the current time, because callers need it too. */
  resume(): number {
    const now = performance.now();
    if (this.pausedAt === undefined) return now;
    this.othersMs += now - this.pausedAt;
    this.pausedAt = undefined;
    return now;
  }

  /** Until now. In milliseconds, to the microsecond. */
  get ms(): number {
    const ms = (this.pausedAt ?? performance.now()) - this.startedMs - this.othersMs;
    return Math.max(0, Math.round(ms * 1000) / 1000);
  }
}
