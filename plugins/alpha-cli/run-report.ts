import type { FinishReason, Usage } from 'drivebay/plugin';

/** What a run says about its failure, in its own words and numbers. */
export interface RunReport {
  /** The words for the user. */
  text?: string | undefined;
  /** The program's own class, for example `rate_limit`. */
  class?: string | undefined;
  /** The vendor's HTTP status. */
  status?: number | undefined;
  /** When a used-up limit is reset, in seconds since the epoch. */
  resetsAt?: number | undefined;
  /** How long the program would wait before it tries again, in seconds. */
  retryDelayS?: number | undefined;
}

/** How a run ended. */
export type Outcome =
  /** `isEarly`: the program itself is not at its end, and would go on. */
  | { type: 'answer'; reason: FinishReason; usage?: Usage | undefined; isEarly: boolean }
  | { type: 'failure'; report: RunReport; isEarly: boolean }
  /** The answer was begun anew, with another text. */
  | { type: 'restarted' };
