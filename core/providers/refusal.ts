import { LimitReached } from '../limits/limit-reached';
import { QueueFullError } from '../limits/slots';
import { SharedStateAway } from '../shared-state/shared-state-away';

/** A call that was turned away before it reached its provider: not a failure of that. */
export function isRefusal(error: unknown): error is QueueFullError | LimitReached | SharedStateAway {
  return error instanceof QueueFullError || error instanceof LimitReached || error instanceof SharedStateAway;
}
