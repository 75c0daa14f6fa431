import { DriverError } from '../contract/driver-error';
import { LimitReached } from '../limits/limit-reached';
import { QueueFullError } from '../limits/slots';
import { SharedStateAway } from '../shared-state/shared-state-away';

type Refusal = QueueFullError | LimitReached | SharedStateAway;

/** A call that was turned away before it reached its provider: not a failure of that. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof QueueFullError || error instanceof LimitReached || error instanceof SharedStateAway;
}

/** The same as a failure, for a caller that tells and handles failures alone. */
export function toFailedCall(refusal: Refusal): DriverError {
  const { code, message } = refusal;
  if (!(refusal instanceof LimitReached)) {
    return new DriverError(code === 'concurrency_limit' ? 'rate_limited' : 'unreachable', message);
  }
  const { code: kind, hint, retryAfterS } = refusal;
  return new DriverError('rate_limited', message, { kind, hint, retryAfterS });
}
