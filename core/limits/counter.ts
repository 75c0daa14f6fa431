import { MINUTE_MS, type PeriodKind, periodAt } from './periods';

/** A sum of one period: it begins again with zero in the next one. */
export class Counter {
  private sum = 0;
  private name = '';
  private end = 0;

  constructor(readonly kind: PeriodKind) {}

  at(now: number): number {
    this.turn(now, false);
    return this.sum;
  }

  /** Opens a period where none is. */
  add(amount: number, now: number): void {
    this.turn(now, true);
    this.sum += amount;
  }

  /** How long the current period goes on, in ms; 0 where none is open. */
  left(now: number): number {
    this.turn(now, false);
    return Math.max(0, this.end - now);
  }

  private turn(now: number, open: boolean): void {
    // A clock that was set back must not make a minute last for hours.
    const isOver = now >= this.end || (this.kind === 'minute' && this.end - now > MINUTE_MS);
    if (!isOver) return;
    if (this.kind === 'minute') {
      this.sum = 0;
      this.end = open ? now + MINUTE_MS : 0;
      return;
    }
    const { name, end } = periodAt(this.kind, now);
    if (name !== this.name) this.sum = 0;
    this.name = name;
    this.end = end;
  }
}
