import { messageOf } from '../errors';
import { placeIn } from '../plugins/place-in';
import { DriverError, isDriverError } from '../contract/driver-error';
import type { Redactor } from '../contract/redact';
import { CallAborted } from './call-clock';

/** As much of a provider as is needed here. */
interface FailingProvider {
  settings: { driver: string; codeDirectory: string };
  redactor: Redactor;
}

/**
 * Turns whatever ended a turn into a driver error with no key in it. When the call's own signal fired that is the
 * cause, whatever the driver made of it: core owns the clock. `mayHaveActed` says that an agent was at work.
 */
export function toFailure(
  error: unknown,
  { settings, redactor }: FailingProvider,
  signal: AbortSignal,
  mayHaveActed = false,
): DriverError {
  const cause: unknown = signal.aborted ? signal.reason : error;
  const failure = classify(cause, settings);
  const { kind, param, status, retryAfterS, hint } = failure;
  return new DriverError(failure.code, redactor.redact(failure.message), {
    kind,
    cause,
    sideEffects: failure.sideEffects || mayHaveActed,
    ...(param !== undefined && { param: redactor.redact(param) }),
    ...(status !== undefined && { status }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(hint !== undefined && { hint: redactor.redact(hint) }),
  });
}

function classify(error: unknown, settings: FailingProvider['settings']): DriverError {
  if (isDriverError(error)) return error;
  if (error instanceof CallAborted) {
    return new DriverError(error.code === 'timeout' ? 'timeout' : 'canceled', error.message, {
      kind: error.code,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
  const message = `driver "${settings.driver}" failed: ${explainBug(error, settings)}`;
  return new DriverError('upstream', message, { kind: 'driver_bug' });
}

/** What a driver threw that is no error of the contract, and where, for its author. */
export function explainBug(error: unknown, { codeDirectory }: { codeDirectory: string }): string {
  const place = placeIn(codeDirectory, error);
  return messageOf(error) + (place === undefined ? '' : ` (${place})`);
}
