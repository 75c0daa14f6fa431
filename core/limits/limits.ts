import type { LimitFields } from '../config/limit-fields';
import type { Counter } from './counter';
import { LimitReached, type LimitOwner, overBudget, overRate, type Reached } from './limit-reached';
import type { BudgetState, LimitState, Quota, Quotas } from './quota';
import { PER_USD, Tally } from './tally';

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

interface Budget {
  period: BudgetState['period'];
  usd: number;
  limit: number;
}

/** The limits of a provider or of a client, against what is used of them. */
export class Limits {
  private readonly budgets: readonly Budget[];

  constructor(
    readonly owner: LimitOwner,
    private readonly fields: LimitFields,
    private readonly tally = new Tally(),
  ) {
    const { budget_usd = {} } = fields;
    this.budgets = (['day', 'month'] as const).flatMap((period) => {
      const usd = budget_usd[period];
      return usd === undefined ? [] : [{ period, usd, limit: Math.round(usd * PER_USD) }];
    });
  }

  /** Whether an estimate of the costs is of use. */
  get hasBudget(): boolean {
    return this.budgets.length > 0;
  }

  /** Settles when a request may enter; undefined: at once. */
  get restoring(): Promise<void> | undefined {
    return this.tally.restoring;
  }

  /** Lets a request in, or throws a LimitReached. `isAgain`: the same request has been counted already. */
  enter(estimate = FREE, isAgain = false, now = Date.now()): Hold {
    const { tally } = this;
    const reached = this.reached(now, tally.held, isAgain);
    if (reached) throw new LimitReached(this.owner, reached, now);
    const amount = this.amountOf(estimate);
    const count = isAgain ? 0 : 1;
    tally.requests.add(count, now);
    tally.held += amount;
    return {
      settle: (tokens, usd) => {
        tally.held -= amount;
        tally.spend(tokens, usd, Date.now());
      },
      cancel: () => {
        tally.held -= amount;
        tally.requests.add(-count, Date.now());
      },
    };
  }

  /** The limit that every request runs into now, whatever else is running. */
  full(now = Date.now()): Reached | undefined {
    return this.reached(now, 0, false);
  }

  quotas(now = Date.now()): Quotas {
    const { requests_per_minute, tokens_per_minute } = this.fields;
    const { requests, tokens } = this.tally;
    const quotas: Quotas = {};
    if (requests_per_minute !== undefined) quotas.requests = quotaOf(requests, requests_per_minute, now);
    if (tokens_per_minute !== undefined) quotas.tokens = quotaOf(tokens, tokens_per_minute, now);
    return quotas;
  }

  state(now = Date.now()): LimitState {
    const { tally } = this;
    const { requests, tokens } = this.quotas(now);
    const stateOf = ({ limit, resetMs }: Quota, counter: Counter) => ({
      ...{ limit, used: counter.at(now), resetAt: now + resetMs },
    });
    return {
      requests: requests && stateOf(requests, tally.requests),
      tokens: tokens && stateOf(tokens, tally.tokens),
      budgets: this.budgets.map(({ period, usd }) => ({
        ...{ period, limitUsd: usd, spentUsd: tally[period].at(now) / PER_USD, heldUsd: tally.held / PER_USD },
        resetAt: now + tally[period].left(now),
      })),
    };
  }

  private reached(now: number, held: number, isAgain: boolean): Reached | undefined {
    const { owner, tally } = this;
    const { requests_per_minute = Infinity, tokens_per_minute = Infinity } = this.fields;
    if (!isAgain && tally.requests.at(now) >= requests_per_minute) {
      return overRate(owner, 'requests_per_minute', quotaOf(tally.requests, requests_per_minute, now), now);
    }
    if (tally.tokens.at(now) >= tokens_per_minute) {
      return overRate(owner, 'tokens_per_minute', quotaOf(tally.tokens, tokens_per_minute, now), now);
    }
    for (const { period, usd, limit } of this.budgets) {
      const spent = tally[period].at(now);
      if (spent + held < limit) continue;
      return overBudget(owner, period, usd, now + tally[period].left(now), spent < limit, now);
    }
    return undefined;
  }

  /** Where nothing bounds it, a request may cost as much as the dearest of those before it. */
  private amountOf({ usd, isMost }: Estimate): number {
    const amount = Math.round(usd * PER_USD);
    return isMost ? amount : Math.max(amount, this.tally.dearest);
  }
}

function quotaOf(counter: Counter, limit: number, now: number): Quota {
  return { limit, remaining: Math.max(0, limit - counter.at(now)), resetMs: counter.left(now) };
}
