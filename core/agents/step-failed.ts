import type { DriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';

/** A driver call that failed. */
export class StepFailed extends Error {
  constructor(
    readonly device: LlmDevice,
    readonly failure: DriverError,
    /** Whether something of the answer was seen, or an agent has acted: nobody else may be asked the same then. */
    readonly hasBegun: boolean,
  ) {
    super(`provider "${device.name}": ${failure.message}`, { cause: failure });
    this.name = 'StepFailed';
  }
}
