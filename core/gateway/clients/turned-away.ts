import { LimitReached } from '../../limits/limit-reached';
import type { TurnedAway } from '../../record/live-event';
import { QueueFullError } from '../../limits/slots';
import { HttpError } from '../../serving/http-error';

/** Why a client was turned away; undefined for every other failure. A limit of a provider is a failure of the provider. */
export function whyTurnedAway(error: unknown): TurnedAway | undefined {
  if (error instanceof LimitReached) return error.reason;
  if (error instanceof QueueFullError) return error.whose === 'client' ? 'concurrency' : undefined;
  return error instanceof HttpError && error.code === 'model_not_allowed' ? 'allow' : undefined;
}
