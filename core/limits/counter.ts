import type { RedisConnection } from '../shared-state/redis-connection';
import type { SharedState } from '../shared-state/shared-state';
import type { SharedSum } from '../shared-state/shared-sum';
import { MINUTE_MS, type PeriodKind, periodAt } from './periods';

/** A minute that others have ends so much later than it did only where it is another one. */
const DRIFT_MS = 5_000;
/** A server that has lost everything gets the marks of ledgers again after this time. */
const MARK_MS = 10_000;
/** The clocks of machines differ, so what is shared of a day or a month is kept a while longer. */
const SPARE_S = 3_600;

/**
 * A sum of one period: it begins again with zero in the next one. Shared with other machines it is what is known of the sum
 * of all, with everything that this machine has added.
 */
export class Counter {
  private sum = 0;
  private name = '';
  private end = 0;
  private periods = 0;
  /** What the others were not told yet, and what they are being told. */
  private unsent = 0;
  private sending = 0;
  /** What was counted before it was shared. The server may have it, from this machine before a restart. */
  private past = 0;
  private markedAt = 0;
  private shared: { state: SharedState; key: string } | undefined;

  constructor(readonly kind: PeriodKind) {}

  /** From now on it is the sum of all machines under this key. */
  share(state: SharedState, key: string): void {
    if (this.shared) return;
    this.shared = { state, key };
    this.past = this.sum;
  }

  /** Which one it is by now, for what may have to be taken back. */
  get period(): number {
    return this.periods;
  }

  at(now: number): number {
    this.turn(now, false);
    return this.sum;
  }

  /** Counts what the ledger has. */
  restore(amount: number, time: number): void {
    this.turn(time, true);
    this.sum += amount;
    if (this.shared) this.past += amount;
  }

  /** Opens a period where none is. */
  add(amount: number, now: number): void {
    const adding = this.addAndAsk(amount, now);
    adding?.catch(() => undefined);
  }

  /** The same; with the sum of all machines before the addition, where they are asked at all. */
  addAndAsk(amount: number, now: number): Promise<number> | undefined {
    this.turn(now, true);
    this.sum += amount;
    if (!this.shared) return undefined;
    if (this.shared.state.isPrompt) return this.tell(amount, now).then(({ sum }) => Math.max(sum - amount, this.past));
    this.unsent += amount;
    return undefined;
  }

  /** Takes back what was added in this period. Another one knows nothing of it. */
  takeBack(amount: number, period: number, now: number): void {
    this.turn(now, false);
    if (period === this.periods) this.add(-amount, now);
  }

  /** How long the current period goes on, in ms; 0 where none is open. */
  left(now: number): number {
    this.turn(now, false);
    return Math.max(0, this.end - now);
  }

  /** Tells the others what they do not know, and learns what they have added. */
  async meet(connection: RedisConnection, now = Date.now()): Promise<void> {
    const left = this.left(now);
    if (!this.shared || left === 0) return;
    const ms = this.kind === 'minute' ? left : this.secondsLeft(now) * 1000;
    if (this.past > 0 || now - this.markedAt >= MARK_MS) await this.tellPast(connection, ms, now);
    const known = this.sum - this.unsent - this.sending;
    if (known > 0) await connection.begin(this.key, known, ms);
    const amount = this.unsent;
    this.unsent = 0;
    await this.tell(amount, now);
  }

  /** A server without the mark of this ledger has nothing of what it counted before. */
  private async tellPast(connection: RedisConnection, ms: number, now: number): Promise<void> {
    const { past, name } = this;
    const isNew = await connection.begin(`${this.key}:${this.shared!.state.ledger}`, 1, ms);
    if (name !== this.name) return;
    this.past -= past;
    this.markedAt = now;
    if (isNew) this.unsent += past;
  }

  private get key(): string {
    return `${this.shared!.key}:${this.name}`;
  }

  private async tell(amount: number, now: number): Promise<SharedSum> {
    const { name } = this;
    this.sending += amount;
    try {
      const answer = await this.shared!.state.add(this.key, amount, this.secondsLeft(now));
      this.sending -= amount;
      if (name === this.name) this.learn(answer);
      return answer;
    } catch (error) {
      this.sending -= amount;
      if (name === this.name) this.unsent += amount;
      throw error;
    }
  }

  private learn({ sum, leftMs }: SharedSum): void {
    this.sum = Math.max(this.past, sum + this.unsent + this.sending);
    if (this.kind !== 'minute') return;
    const end = Date.now() + leftMs;
    // For the others the next one has begun already.
    if (end > this.end + DRIFT_MS) this.periods += 1;
    this.end = end;
  }

  private secondsLeft(now: number): number {
    if (this.kind === 'minute') return MINUTE_MS / 1000;
    return Math.ceil((this.end - now) / 1000) + SPARE_S;
  }

  private turn(now: number, open: boolean): void {
    // A clock that was set back must not make a minute last for hours.
    const isOver = now >= this.end || (this.kind === 'minute' && this.end - now > MINUTE_MS);
    if (!isOver) return;
    if (this.kind === 'minute') {
      this.name = 'minute';
      this.begin(open ? now + MINUTE_MS : 0);
      return;
    }
    const { name, end } = periodAt(this.kind, now);
    if (name !== this.name) this.begin(end);
    this.name = name;
    this.end = end;
  }

  private begin(end: number): void {
    this.periods += 1;
    this.sum = 0;
    this.unsent = 0;
    this.past = 0;
    this.markedAt = 0;
    this.end = end;
  }
}
