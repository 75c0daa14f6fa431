import type { RedisConnection } from '../shared-state/redis-connection';
import type { SharedState } from '../shared-state/shared-state';
import { MINUTE_MS } from './periods';

/** How far a minute may seem to move: an answer takes a while, and a request may still count from the time at which it came. */
const DRIFT_MS = 5_000;

/**
 * A sum of one minute, which begins whenever it is needed. Shared with other machines it is what is known of the sum of all, with
 * everything that this machine has added.
 */
export class MinuteSum {
  private sum = 0;
  private end = 0;
  private minutes = 0;
  /** What the others were not told yet, and what they are being told. */
  private unsent = 0;
  private sending = 0;
  private shared: { state: SharedState; key: string } | undefined;

  /** From now on it is the sum of all machines under this key. */
  share(state: SharedState, key: string): void {
    this.shared ??= { state, key: `${key}:minute` };
  }

  /** Which minute it is by now, for what may have to be taken back. */
  get minute(): number {
    return this.minutes;
  }

  at(now: number): number {
    this.turn(now, false);
    return this.sum;
  }

  /** How long the current minute goes on, in ms; 0 where none has begun. */
  left(now: number): number {
    this.turn(now, false);
    return Math.max(0, this.end - now);
  }

  /** Counts what the ledger has. */
  restore(amount: number, time: number): void {
    this.turn(time, true);
    this.sum += amount;
  }

  /** Begins a minute where none is. */
  add(amount: number, now: number): void {
    this.addAndAsk(amount, now)?.catch(() => undefined);
  }

  /** The same; with the sum of all machines before the addition, where they are asked at all. */
  addAndAsk(amount: number, now: number): Promise<number> | undefined {
    this.turn(now, true);
    this.sum += amount;
    if (this.shared?.state.isPrompt) return this.tell(amount).then((sum) => sum - amount);
    this.unsent += amount;
    return undefined;
  }

  /** Takes back what was added in this minute. Another one knows nothing of it. */
  takeBack(amount: number, minute: number, now: number): void {
    this.turn(now, false);
    if (minute === this.minutes) this.add(-amount, now);
  }

  /** Tells the others what they do not know, and learns what they have added. */
  async meet(connection: RedisConnection): Promise<void> {
    const left = this.left(Date.now());
    if (!this.shared || left === 0) return;
    const known = this.sum - this.unsent - this.sending;
    if (known > 0) await connection.begin(this.shared.key, known, left);
    const amount = this.unsent;
    this.unsent = 0;
    await this.tell(amount);
  }

  /** The server may have counted an amount whose answer was lost. So no amount is sent again: it could count twice. */
  private async tell(amount: number): Promise<number> {
    const { minutes } = this;
    const { state, key } = this.shared!;
    this.sending += amount;
    try {
      const { sum, leftMs } = await state.add(key, amount, MINUTE_MS / 1000);
      if (minutes === this.minutes) this.learn(sum + this.unsent + this.sending - amount, Date.now() + leftMs);
      return sum;
    } finally {
      this.sending -= amount;
    }
  }

  private learn(sum: number, end: number): void {
    this.sum = sum;
    // For the others the next one has begun already.
    if (end > this.end + DRIFT_MS) this.minutes += 1;
    this.end = end;
  }

  private turn(now: number, isWanted: boolean): void {
    // A clock that was set back must not make a minute last for hours.
    if (now < this.end && this.end - now <= MINUTE_MS + DRIFT_MS) return;
    this.minutes += 1;
    this.sum = 0;
    this.unsent = 0;
    this.end = isWanted ? now + MINUTE_MS : 0;
  }
}
