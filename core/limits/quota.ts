/** What is left of a limit of a minute. */
export interface Quota {
  limit: number;
  remaining: number;
  /** How long until it is whole again, in ms. */
  resetMs: number;
}

/** The limits of a minute, for the headers of an answer. */
export interface Quotas {
  requests?: Quota;
  tokens?: Quota;
}

/** What is used of every limit, for people who look. Times are in ms since the epoch; amounts in US dollars. */
export interface LimitState {
  requests?: { limit: number; used: number; resetAt: number };
  tokens?: { limit: number; used: number; resetAt: number };
  budgets: BudgetState[];
}

export interface BudgetState {
  period: 'day' | 'month';
  limitUsd: number;
  spentUsd: number;
  /** What running requests may cost. */
  heldUsd: number;
  resetAt: number;
}
