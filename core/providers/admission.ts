import { DriverError } from '../contract/driver-error';
import { LimitReached } from '../limits/limit-reached';
import type { Estimate, Hold, Limits } from '../limits/limits';
import type { Caller, Used } from './caller';

interface Asked {
  estimate(): Estimate;
}

/** What a call holds of the limits of its provider and of its client, until it is over. */
export class Admission {
  constructor(private readonly holds: readonly Hold[]) {}

  settle({ usage, costUsd }: Used): void {
    const tokens = usage ? usage.inputTokens + usage.outputTokens : 0;
    for (const hold of this.holds) hold.settle(tokens, costUsd);
  }

  cancel(): void {
    for (const hold of this.holds) hold.cancel();
  }
}

/**
 * Asks the limits that a call is under. Undefined where there are none: then nothing is allocated and nothing is waited
 * for. Throws a DriverError at a limit of the provider, so that a route goes on.
 */
export function admit(
  limits: Limits | undefined,
  caller: Caller,
  asked: Asked,
): Admission | Promise<Admission> | undefined {
  if (!limits) return undefined;
  const { restoring } = limits;
  return restoring ? restoring.then(() => enter(limits, caller, asked)) : enter(limits, caller, asked);
}

function enter(limits: Limits, caller: Caller, asked: Asked): Admission {
  try {
    return new Admission([limits.enter(limits.hasBudget ? asked.estimate() : undefined)]);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const { code, message, hint, retryAfterS } = error;
    throw new DriverError('rate_limited', message, { kind: code, hint, retryAfterS });
  } finally {
    if (caller.route === undefined) caller.onQuotas?.(limits.quotas());
  }
}
