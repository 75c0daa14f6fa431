import type { DriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';

/** A driver call that failed. */
export class StepFailed extends Error {
  constructor(
    readonly device: LlmDevice,
    readonly failure: DriverError,
    /** Whether a part of the answer was seen, or an agent has acted. Then no other provider may be asked the same. */
    readonly hasBegun: boolean,
  ) {
    super(`provider "${device.name}": ${failure.message}`, { cause: failure });
    this.name = 'StepFailed';
  }
}

/** Neither the chosen provider nor its fallback could answer. */
export class BothFailed extends Error {
  constructor(
    readonly first: StepFailed,
    readonly second: StepFailed,
  ) {
    super(`${first.message}; ${second.message}`);
    this.name = 'BothFailed';
  }
}

/** A process has to end without a failure, because it reached a limit. */
export class LimitReached extends Error {
  constructor(
    readonly limit: 'step_limit' | 'context_budget',
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = 'LimitReached';
  }
}
