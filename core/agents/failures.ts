import type { DriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';
import type { EndCode, ProcessEnd } from '../record/process-event';

export class ProcessFailed extends Error {
  constructor(
    readonly reason: ProcessEnd['reason'],
    readonly code: EndCode,
    message: string,
    readonly hint: string | undefined,
  ) {
    super(message);
    this.name = 'ProcessFailed';
  }
}

export class StepFailed extends ProcessFailed {
  constructor(
    readonly device: LlmDevice,
    readonly failure: DriverError,
    /** Whether a part of the answer was seen, or an agent has acted. Then no other provider may be asked the same. */
    readonly hasBegun: boolean,
  ) {
    super('error', failure.code, `provider "${device.name}": ${failure.message}`, failure.hint);
  }
}

export function bothFailed(first: StepFailed, second: StepFailed): ProcessFailed {
  const hints = [first, second].flatMap(({ device, hint }) => (hint ? [`${device.name}: ${hint}`] : []));
  return new ProcessFailed('error', second.code, `${first.message}; ${second.message}`, hints.join('; ') || undefined);
}

export function limitReached(limit: 'step_limit' | 'context_budget', message: string, hint: string): ProcessFailed {
  return new ProcessFailed(limit, limit, message, hint);
}
