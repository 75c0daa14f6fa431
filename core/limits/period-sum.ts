import type { SharedState } from '../shared-state/shared-state';
import { periodAt, type PeriodKind } from './periods';

/** The clocks of machines differ, so the server keeps a day or a month a while longer. */
const SPARE_S = 3_600;
/** The part of the turns for which the ledger names no machine: they were booked before the daemon shared anything. */
const UNNAMED = '';

/**
 * A sum of one day or month: it begins again with zero in the next one. Each machine that adds to it has a part. Parts only grow and
 * are sent as totals, so of two values of a part the larger one is the later one (a grow-only counter). A part counts once,
 * however often it is sent, and by whichever machine.
 */
export class PeriodSum {
  private name = '';
  private end = 0;
  private parts = new Map<string, number>();
  /** What this daemon has added to its part, until the server confirms it. */
  private untold = 0;
  private sum = 0;
  /** Whether this daemon knows what the server has of its part: more than the ledger has, where the ledger has lost lines. */
  private isMet = false;
  private shared: { state: SharedState; key: string } | undefined;

  constructor(private readonly kind: PeriodKind) {}

  /** From now on it is the sum of all machines under this key. */
  share(state: SharedState, key: string): void {
    this.shared ??= { state, key };
  }

  /** The ledger names no machine for what was added until now. */
  unname(): void {
    const { untold } = this;
    this.untold = 0;
    this.sum -= untold;
    this.grow(UNNAMED, this.part(UNNAMED) + untold);
  }

  at(now: number): number {
    this.turn(now);
    return this.sum;
  }

  /** How long the current period goes on, in ms. */
  left(now: number): number {
    this.turn(now);
    return this.end - now;
  }

  /** Counts what the ledger has, of this machine or of another daemon of the same ledger. */
  restore(amount: number, time: number, machine = UNNAMED): void {
    this.turn(time);
    this.grow(machine, this.part(machine) + amount);
  }

  add(amount: number, now: number): void {
    this.addAndAsk(amount, now)?.catch(() => undefined);
  }

  /** The same; with the sum of all machines before the addition, where they are asked at all. */
  addAndAsk(amount: number, now: number): Promise<number> | undefined {
    this.turn(now);
    this.untold += amount;
    this.sum += amount;
    return this.shared?.state.isPrompt ? this.tell([], now).then(() => this.sum - amount) : undefined;
  }

  /** Tells all parts, because a server that begins empty knows none, and learns those of the others. */
  async meet(): Promise<void> {
    const now = Date.now();
    this.turn(now);
    if (this.shared) await this.tell(this.parts, now);
  }

  private async tell(others: Iterable<[string, number]>, now: number): Promise<void> {
    const { parts } = this;
    const { state, key } = this.shared!;
    const own = this.part(state.machine) + (this.isMet ? this.untold : 0);
    const seconds = Math.ceil((this.end - now) / 1000) + SPARE_S;
    const known = await state.merge(`${key}:${this.name}`, [...others, [state.machine, own]], seconds);
    // Another period has begun meanwhile.
    if (parts !== this.parts) return;
    const confirmed = Math.max(0, own - this.part(state.machine));
    this.untold -= confirmed;
    this.sum -= confirmed;
    this.grow(state.machine, own);
    for (const [machine, amount] of known) this.grow(machine, amount);
    this.isMet = true;
  }

  private part(machine: string): number {
    return this.parts.get(machine) ?? 0;
  }

  private grow(machine: string, amount: number): void {
    const more = amount - this.part(machine);
    if (more <= 0) return;
    this.parts.set(machine, amount);
    this.sum += more;
  }

  private turn(now: number): void {
    if (now < this.end) return;
    const { name, end } = periodAt(this.kind, now);
    this.end = end;
    if (name === this.name) return;
    this.name = name;
    this.parts = new Map();
    this.untold = 0;
    this.sum = 0;
    this.isMet = false;
  }
}
