import type { LimitFields } from '../config/limit-fields';
import { Hold } from './hold';
import { type BudgetPlace, LimitReached, type LimitOwner, overBudget, overRate, type Reached } from './limit-reached';
import type { MinuteSum } from './minute-sum';
import type { BudgetState, LimitState, Quota, Quotas } from './quota';
import { SharedStateAway } from '../shared-state/shared-state-away';
import { PER_USD, type SharedName, Tally } from './tally';

/** What a request may cost. */
export interface Estimate {
  usd: number;
  /** Whether it cannot cost more. */
  isMost: boolean;
}

const FREE: Estimate = { usd: 0, isMost: true };

/** What is used, in the units of the counters. */
type Used = Record<SharedName, number>;

/** The limits of a provider or of a client, against what is used of them. */
export class Limits {
  private readonly budgets: readonly { period: BudgetState['period']; usd: number; limit: number }[];
  /** Set again by each reload: what stands above may have grown. */
  placeOf: BudgetPlace | undefined;

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

  /** The counters that are compared with a limit. */
  get limited(): SharedName[] {
    const { requests_per_minute, tokens_per_minute } = this.fields;
    const names: SharedName[] = this.budgets.map(({ period }) => period);
    if (names.length > 0) names.push('held');
    if (requests_per_minute !== undefined) names.push('requests');
    if (tokens_per_minute !== undefined) names.push('tokens');
    return names;
  }

  /** Whether an estimate of the costs is of use. */
  get hasBudget(): boolean {
    return this.budgets.length > 0;
  }

  /** Settles when a request may enter; undefined: at once. */
  get restoring(): Promise<void> | undefined {
    return this.tally.restoring;
  }

  /** Whether other machines are to be asked, too: then a request enters with `enterWithOthers`. */
  get asksOthers(): boolean {
    const { state } = this.tally;
    return state !== undefined && (state.isPrompt || state.isRequired);
  }

  /** Lets a request in, or throws a LimitReached. `isAgain`: the same request has been counted already. */
  enter(estimate = FREE, isAgain = false, now = Date.now()): Hold {
    this.refuseAt(this.used(now), isAgain, now);
    const { tally } = this;
    const amount = this.amountOf(estimate, now);
    const count = isAgain ? 0 : 1;
    tally.requests.add(count, now);
    tally.held.add(amount);
    return new Hold(tally, amount, count, mostOf(estimate));
  }

  /** Counts first, everywhere, and takes it back where that was too much: so no two machines let the same request in. */
  async enterWithOthers(estimate = FREE, isAgain = false, now = Date.now()): Promise<Hold> {
    const { tally } = this;
    const state = tally.state!;
    if (!state.isPrompt) await state.opened;
    this.refuseAt({ ...this.used(now), held: 0 }, isAgain, now);
    const [amount, count] = [this.amountOf(estimate, now), isAgain ? 0 : 1];
    // The held amount is asked first. A cost that another request books meanwhile may then count twice, but is never missed.
    const asked = (['held', 'requests', 'tokens', 'day', 'month'] as const).map((name) => {
      const before = this.used(now)[name];
      const more = name === 'held' ? amount : name === 'requests' ? count : 0;
      return { name, before, answer: tally[name].addAndAsk(more, now) };
    });
    const hold = new Hold(tally, amount, count, mostOf(estimate));
    const under = asked.filter(({ answer }) => answer !== undefined);
    const answers = under.length > 0 ? await state.inTime(under.map(({ answer }) => answer!)) : undefined;
    if (!answers && state.isRequired) {
      hold.cancel();
      throw new SharedStateAway();
    }
    const used = Object.fromEntries(asked.map(({ name, before }) => [name, before])) as unknown as Used;
    answers?.forEach((before, index) => (used[under[index]!.name] = before));
    try {
      this.refuseAt(used, isAgain, now);
    } catch (error) {
      hold.cancel();
      throw error;
    }
    return hold;
  }

  private used(now: number): Used {
    const { requests, tokens, day, month, held } = this.tally;
    return {
      requests: requests.at(now),
      tokens: tokens.at(now),
      day: day.at(now),
      month: month.at(now),
      held: held.at(now),
    };
  }

  private refuseAt(used: Used, isAgain: boolean, now: number): void {
    const reached = this.reached(used, isAgain, now);
    if (reached) throw new LimitReached(this.owner, reached, now);
  }

  /** The limit that every request runs into now, whatever else is running. */
  full(now = Date.now()): Reached | undefined {
    return this.reached({ ...this.used(now), held: 0 }, false, now);
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
    const stateOf = ({ limit, resetMs }: Quota, counter: MinuteSum) => ({
      ...{ limit, used: counter.at(now), resetAt: now + resetMs },
    });
    return {
      requests: requests && stateOf(requests, tally.requests),
      tokens: tokens && stateOf(tokens, tally.tokens),
      budgets: this.budgets.map(({ period, usd }) => ({
        ...{ period, limitUsd: usd, spentUsd: tally[period].at(now) / PER_USD, heldUsd: tally.held.at(now) / PER_USD },
        resetAt: now + tally[period].left(now),
      })),
    };
  }

  private reached(used: Used, isAgain: boolean, now: number): Reached | undefined {
    const { owner, tally } = this;
    const { requests_per_minute = Infinity, tokens_per_minute = Infinity } = this.fields;
    if (!isAgain && used.requests >= requests_per_minute) {
      return overRate(owner, 'requests_per_minute', quotaOf(tally.requests, requests_per_minute, now), now);
    }
    if (used.tokens >= tokens_per_minute) {
      return overRate(owner, 'tokens_per_minute', quotaOf(tally.tokens, tokens_per_minute, now), now);
    }
    for (const { period, usd, limit } of this.budgets) {
      if (used[period] + used.held < limit) continue;
      return overBudget(owner, period, usd, now + tally[period].left(now), used[period] < limit, now, this.placeOf);
    }
    return undefined;
  }

  /**
   * Where nothing bounds it, or backends do not keep to the bound, a request may cost as much as the dearest such one before it.
   * More than is left unspent is not held: that much keeps all others out already. What others hold counts as left, because
   * it may become free while this runs.
   */
  private amountOf({ usd, isMost }: Estimate, now: number): number {
    const { dearest, boundless } = this.tally;
    let amount = Math.min(Math.max(amountOf(usd), isMost ? boundless : dearest), Number.MAX_SAFE_INTEGER);
    for (const { period, limit } of this.budgets) amount = Math.min(amount, limit - this.tally[period].at(now));
    return Math.max(0, amount);
  }
}

/** The cost if the backend respects the bound of the request. Without a budget, nothing is estimated. */
function mostOf(estimate: Estimate): number {
  return estimate.isMost && estimate !== FREE ? amountOf(estimate.usd) : Infinity;
}

function amountOf(usd: number): number {
  // Free tokens beyond all numbers are no number.
  return Math.round(usd * PER_USD) || 0;
}

function quotaOf(counter: MinuteSum, limit: number, now: number): Quota {
  return { limit, remaining: Math.max(0, limit - counter.at(now)), resetMs: counter.left(now) };
}
