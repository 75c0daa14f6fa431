import { HeldSum } from './held-sum';
import { MinuteSum } from './minute-sum';
import { PeriodSum } from './period-sum';
import type { RedisConnection } from '../shared-state/redis-connection';
import type { SharedState } from '../shared-state/shared-state';
import { MINUTE_MS, startOf } from './periods';

const SHARED = ['requests', 'tokens', 'day', 'month', 'held'] as const;
export type SharedName = (typeof SHARED)[number];

/** Amounts are added up as whole numbers, so that a sum of many is exact. */
export const PER_USD = 1e9;

/** A backend may report parts of tokens, and numbers beyond all reason. Redis adds whole numbers of 64 bits, and refuses all others. */
function whole(amount: number): number {
  return Math.min(Math.round(amount), Number.MAX_SAFE_INTEGER);
}

/** How fast the dearest call so far is forgotten, for each call after it. */
const FORGET = 0.9;

/** What a turn has used. */
export interface PastTurn {
  time: number;
  /** 0 for a further attempt of a request that is counted already. */
  requests: number;
  tokens: number;
  costUsd: number;
  /** The daemon that has booked it, where it shared its sums. */
  machine?: string | undefined;
}

/** What a provider or a client has used. Everything is counted, so that a limit that is set later knows of it. */
export class Tally {
  readonly requests = new MinuteSum();
  readonly tokens = new MinuteSum();
  readonly day = new PeriodSum('day');
  readonly month = new PeriodSum('month');
  /** What the running requests may cost. */
  readonly held = new HeldSum();
  /** About the highest cost of a request lately. */
  dearest = 0;
  /** The same of those that cost more than the bound of their request allows. */
  boundless = 0;
  /** What other machines count with this one; undefined where it counts alone. */
  state: SharedState | undefined;
  /** Settles when the turns of the past are counted; undefined once they are. Requests wait for it. */
  restoring: Promise<void> | undefined;

  /** From now on the ledger names this machine in each line. */
  join(state: SharedState): void {
    this.state = state;
    this.day.unname();
    this.month.unname();
  }

  /** Shares what has a limit under this key with other machines. */
  share(state: SharedState, key: string, names: Iterable<SharedName>): void {
    for (const name of names) this[name].share(state, `${key}:${name}`);
  }

  /** Tells the other machines, and learns from them. */
  async meet(connection: RedisConnection): Promise<void> {
    await Promise.all(SHARED.map((name) => this[name].meet(connection)));
  }

  /** `most`: what it should cost at most. */
  spend(tokens: number, usd: number, now: number, most = Infinity): void {
    this.tokens.add(whole(Math.ceil(tokens)), now);
    const cost = whole(usd * PER_USD);
    this.day.add(cost, now);
    this.month.add(cost, now);
    this.remember(cost);
    this.boundless = Math.max(cost > most ? cost : 0, Math.floor(this.boundless * FORGET));
  }

  /** Counts a turn of the past, as far as it belongs to a current period. */
  restore({ time, requests, tokens, costUsd, machine }: PastTurn, now = Date.now()): void {
    if (time > now - MINUTE_MS) {
      this.requests.restore(requests, time);
      this.tokens.restore(whole(Math.ceil(tokens)), time);
    }
    const cost = whole(costUsd * PER_USD);
    if (time >= startOf('day', now)) this.day.restore(cost, time, machine);
    if (time >= startOf('month', now)) this.month.restore(cost, time, machine);
    this.remember(cost);
  }

  private remember(cost: number): void {
    this.dearest = Math.max(cost, Math.floor(this.dearest * FORGET));
  }
}
