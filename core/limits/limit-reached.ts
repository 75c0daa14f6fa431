import type { Quota } from './quota';
import type { TurnedAway } from '../record/live-event';

export type LimitCode = 'rate_limit_exceeded' | 'budget_exceeded';

/** Whose limits they are. */
export interface LimitOwner {
  type: 'provider' | 'client' | 'server';
  name: string;
}

/** Where the budget of a period stands, for messages. */
export type BudgetPlace = (period: 'day' | 'month') => string;

/** A limit that a request runs into. */
export interface Reached {
  code: LimitCode;
  reason: TurnedAway;
  message: string;
  hint: string;
  /** When a request may be let in again, in ms since the epoch. */
  until: number;
}

/** A request is over a limit, and is not sent to a backend. */
export class LimitReached extends Error {
  readonly code: LimitCode;
  readonly reason: TurnedAway;
  readonly hint: string;
  readonly retryAfterS: number;

  constructor(
    readonly owner: LimitOwner,
    { code, reason, message, hint, until }: Reached,
    now: number,
  ) {
    super(message);
    this.name = 'LimitReached';
    this.code = code;
    this.reason = reason;
    this.hint = hint;
    this.retryAfterS = Math.max(1, Math.ceil((until - now) / 1000));
  }
}

/** Explains a limit of a minute. */
export function overRate({ type, name }: LimitOwner, field: string, { limit, resetMs }: Quota, now: number): Reached {
  const what = field === 'tokens_per_minute' ? 'tokens' : 'requests';
  return {
    code: 'rate_limit_exceeded',
    reason: what,
    message: `the limit of ${limit} ${what} per minute is reached (${field} of ${type} "${name}")`,
    hint: `try again in ${Math.max(1, Math.ceil(resetMs / 1000))} s`,
    until: now + resetMs,
  };
}

const RAISE = '; to continue earlier, raise it: ';

/** Explains a budget that is spent, or, with `isHeld`, one whose rest running requests may need. */
export function overBudget(
  { type, name }: LimitOwner,
  period: 'day' | 'month',
  usd: number,
  end: number,
  isHeld: boolean,
  now: number,
  placeOf?: BudgetPlace,
): Reached {
  const budget = `the budget of ${usd} USD for this ${period}`;
  const whose = `(${type === 'server' ? 'sampling_budget_usd' : 'budget_usd'}.${period} of ${type} "${name}")`;
  if (isHeld) {
    return {
      code: 'rate_limit_exceeded',
      reason: 'budget',
      message: `running requests may need what is left of ${budget} ${whose}`,
      hint: 'try again when they have ended',
      until: now + 1_000,
    };
  }
  const next = period === 'day' ? 'tomorrow' : 'next month';
  // A client need not be the owner of the configuration.
  const raise = type === 'provider' && placeOf ? `${RAISE}${placeOf(period)}` : '';
  return {
    code: 'budget_exceeded',
    reason: 'budget',
    message: `${budget} is spent ${whose}`,
    hint: `it begins again ${next}${raise}`,
    until: end,
  };
}

/** A text with a message of `overBudget` in it, without the amount, or its hint without the owner's file. */
export function withoutAmount(text: string): string {
  return text.replace(/the budget of \S+ USD for this/g, 'the budget for this').split(RAISE)[0]!;
}
