import type { LimitFields } from '../config/limit-fields';
import { Counter } from './counter';
import { LimitReached, type LimitOwner, overBudget, overRate, type Reached } from './limit-reached';
import { MINUTE_MS, startOf } from './periods';
import type { LimitState, Quota, Quotas } from './quota';

/** Amounts are added up as whole numbers, so that a sum of many is exact. */
const PER_USD = 1e9;

/** How fast the dearest call so far is forgotten, for each call after it. */
const FORGET = 0.9;

/** What a request may cost. */
export interface Estimate {
  usd: number;
  /** Whether it cannot cost more. */
  isMost: boolean;
}

const FREE: Estimate = { usd: 0, isMost: true };

/** A request that was let in. One of the two is called once, when it is over. */
export interface Hold {
  /** What it has used. */
  settle(tokens: number, usd: number): void;
  /** It did not run: it counts for nothing. */
  cancel(): void;
}

/** What a turn of the past has used. */
export interface PastTurn {
  time: number;
  tokens: number;
  costUsd: number;
}

/** The limits of a provider or of a client, and how much of them is used. */
export class Limits {
  private readonly requests: Counter | undefined;
  private readonly tokens: Counter | undefined;
  private readonly budgets: { period: 'day' | 'month'; usd: number; limit: number; spent: Counter }[] = [];
  /** What the running requests may cost. */
  private held = 0;
  private dearest = 0;

  constructor(
    readonly owner: LimitOwner,
    private readonly fields: LimitFields,
  ) {
    const { requests_per_minute, tokens_per_minute, budget_usd = {} } = fields;
    if (requests_per_minute !== undefined) this.requests = new Counter('minute');
    if (tokens_per_minute !== undefined) this.tokens = new Counter('minute');
    for (const period of ['day', 'month'] as const) {
      const usd = budget_usd[period];
      if (usd !== undefined) {
        this.budgets.push({ period, usd, limit: Math.round(usd * PER_USD), spent: new Counter(period) });
      }
    }
  }

  /** Whether an estimate of the costs is of use. */
  get hasBudget(): boolean {
    return this.budgets.length > 0;
  }

  /** Lets a request in, or throws a LimitReached. `isAgain`: the same request has been counted already. */
  enter(estimate = FREE, isAgain = false, now = Date.now()): Hold {
    const reached = this.reached(now, this.held, isAgain);
    if (reached) throw new LimitReached(this.owner, reached, now);
    if (!isAgain) this.requests?.add(1, now);
    const amount = this.amountOf(estimate);
    this.held += amount;
    return {
      settle: (tokens, usd) => this.settle(tokens, usd, amount),
      cancel: () => {
        this.held -= amount;
        if (!isAgain) this.requests?.add(-1, Date.now());
      },
    };
  }

  /** The limit that every request runs into now, whatever else is running. */
  full(now = Date.now()): Reached | undefined {
    return this.reached(now, 0, false);
  }

  /** Counts a turn of the past, as the ledger has it. */
  restore({ time, tokens, costUsd }: PastTurn, now = Date.now()): void {
    if (time > now - MINUTE_MS) {
      this.requests?.add(1, time);
      this.tokens?.add(tokens, time);
    }
    this.spend(costUsd, time, now);
  }

  quotas(now = Date.now()): Quotas {
    const { requests_per_minute, tokens_per_minute } = this.fields;
    const quotas: Quotas = {};
    if (this.requests) quotas.requests = quotaOf(this.requests, requests_per_minute!, now);
    if (this.tokens) quotas.tokens = quotaOf(this.tokens, tokens_per_minute!, now);
    return quotas;
  }

  state(now = Date.now()): LimitState {
    const { requests, tokens } = this.quotas(now);
    const used = ({ limit, resetMs }: Quota, counter: Counter) => ({
      ...{ limit, used: counter.at(now), resetAt: now + resetMs },
    });
    return {
      requests: requests && used(requests, this.requests!),
      tokens: tokens && used(tokens, this.tokens!),
      budgets: this.budgets.map(({ period, usd, spent }) => ({
        ...{ period, limitUsd: usd, spentUsd: spent.at(now) / PER_USD, heldUsd: this.held / PER_USD },
        resetAt: now + spent.left(now),
      })),
    };
  }

  private reached(now: number, held: number, isAgain: boolean): Reached | undefined {
    const { requests, tokens, fields, owner } = this;
    if (requests && !isAgain && requests.at(now) >= fields.requests_per_minute!) {
      return overRate(owner, 'requests_per_minute', quotaOf(requests, fields.requests_per_minute!, now), now);
    }
    if (tokens && tokens.at(now) >= fields.tokens_per_minute!) {
      return overRate(owner, 'tokens_per_minute', quotaOf(tokens, fields.tokens_per_minute!, now), now);
    }
    for (const { period, usd, limit, spent } of this.budgets) {
      const sum = spent.at(now);
      if (sum + held < limit) continue;
      return overBudget(owner, period, usd, now + spent.left(now), sum < limit, now);
    }
    return undefined;
  }

  /** Without a limit of its own, a request may cost as much as the dearest of those before it. */
  private amountOf({ usd, isMost }: Estimate): number {
    const amount = Math.round(usd * PER_USD);
    return isMost ? amount : Math.max(amount, this.dearest);
  }

  private settle(tokens: number, usd: number, amount: number): void {
    const now = Date.now();
    this.held -= amount;
    this.tokens?.add(tokens, now);
    this.spend(usd, now, now);
  }

  private spend(usd: number, time: number, now: number): void {
    const cost = Math.round(usd * PER_USD);
    for (const { period, spent } of this.budgets) if (time >= startOf(period, now)) spent.add(cost, time);
    this.dearest = Math.max(cost, this.dearest * FORGET);
  }
}

function quotaOf(counter: Counter, limit: number, now: number): Quota {
  return { limit, remaining: Math.max(0, limit - counter.at(now)), resetMs: counter.left(now) };
}
