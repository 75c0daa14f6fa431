import { DriverError } from '../contract/driver-error';
import type { Attempt, LlmDevice } from './device';

interface RouteFacts {
  route: string;
  attempts: readonly Attempt[];
  /** The last target that was asked. */
  device: LlmDevice;
  /** What it was asked for. */
  model: string | undefined;
  /** Whether one of the targets that were asked is an agent CLI. */
  isAgentAsked: boolean;
  /** Whether one of them may have acted. */
  sideEffects: boolean;
  retryAfterS: number | undefined;
}

/** The failure of a route: that of its last target, with all the others. */
export class RouteFailure extends DriverError {
  readonly route: string;
  readonly attempts: readonly Attempt[];
  readonly device: LlmDevice;
  readonly model: string | undefined;
  readonly isAgentAsked: boolean;

  constructor(
    last: DriverError,
    { route, attempts, device, model, isAgentAsked, sideEffects, retryAfterS }: RouteFacts,
  ) {
    const { code, message, kind, param, status, hint, answer } = last;
    super(code, message, { kind, param, status, retryAfterS, hint, sideEffects, answer, cause: last.cause ?? last });
    this.route = route;
    this.attempts = attempts;
    this.device = device;
    this.model = model;
    this.isAgentAsked = isAgentAsked;
  }
}
