import { Counter } from './counter';
import { MINUTE_MS, startOf } from './periods';

/** Amounts are added up as whole numbers, so that a sum of many is exact. */
export const PER_USD = 1e9;

/** How fast the dearest call so far is forgotten, for each call after it. */
const FORGET = 0.9;

/** What a turn has used. */
export interface PastTurn {
  time: number;
  tokens: number;
  costUsd: number;
}

/** What a provider or a client has used. Everything is counted, so that a limit that is set later knows of it. */
export class Tally {
  readonly requests = new Counter('minute');
  readonly tokens = new Counter('minute');
  readonly day = new Counter('day');
  readonly month = new Counter('month');
  /** What the running requests may cost. */
  held = 0;
  /** About the highest cost of a request lately. */
  dearest = 0;
  /** Settles when the turns of the past are counted; undefined once they are. Requests wait for it. */
  restoring: Promise<void> | undefined;

  spend(tokens: number, usd: number, now: number): void {
    this.tokens.add(tokens, now);
    const cost = Math.round(usd * PER_USD);
    this.day.add(cost, now);
    this.month.add(cost, now);
    this.remember(cost);
  }

  /** Counts a turn of the past, as far as it belongs to a current period. */
  restore({ time, tokens, costUsd }: PastTurn, now = Date.now()): void {
    if (time > now - MINUTE_MS) {
      this.requests.add(1, time);
      this.tokens.add(tokens, time);
    }
    const cost = Math.round(costUsd * PER_USD);
    if (time >= startOf('day', now)) this.day.add(cost, time);
    if (time >= startOf('month', now)) this.month.add(cost, time);
    this.remember(cost);
  }

  private remember(cost: number): void {
    this.dearest = Math.max(cost, this.dearest * FORGET);
  }
}
