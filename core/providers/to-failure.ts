import { bounded, messageOf } from '../errors';
import { explainPart, ProgramGone } from '../program-gone';
import { withPlace } from '../plugins/place-in';
import { DriverError, isDriverError } from '../contract/driver-error';
import type { Redactor } from '../contract/redact';
import { CallAborted } from './call-clock';
import { failurePolicies } from '../contract/failure-policy';
import type { ProviderSettings } from './settings';

type DriverCode = Pick<ProviderSettings, 'driverAlias' | 'codeDirectory'>;

/** Makes a driver error without keys of anything that ended a call. `mayHaveActed`: an agent was at work. */
export function toFailure(
  error: unknown,
  provider: DriverCode & { redactor: Redactor },
  mayHaveActed = false,
): DriverError {
  // A second copy of the class takes details of any type.
  const redact = (text: unknown) => (typeof text === 'string' ? bounded(provider.redactor.redact(text)) : undefined);
  const { code, message, kind, param, status, retryAfterS, hint, sideEffects } = classify(error, provider);
  return new DriverError(code, redact(message) ?? '', {
    kind,
    cause: error,
    sideEffects: sideEffects || mayHaveActed,
    param: redact(param),
    status,
    retryAfterS,
    hint: redact(hint) || whenToRetry(retryAfterS),
  });
}

/** Undefined where nothing is known of it. */
function whenToRetry(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const minutes = Math.ceil(seconds / 60);
  return `try again in ${seconds < 120 ? `${Math.ceil(seconds)} s` : minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`}`;
}

function classify(error: unknown, provider: DriverCode): DriverError {
  if (isDriverError(error)) return error;
  if (error instanceof CallAborted) {
    const { code, message, hint } = error;
    return new DriverError(code === 'timeout' ? 'timeout' : 'canceled', message, { kind: code, hint });
  }
  const known = explainPart(error);
  const message = `driver "${provider.driverAlias}" failed: ${explainBug(known, provider)}`;
  return new DriverError('upstream', message, { kind: 'driver_bug', hint: hintOfPart(known) });
}

/** The failure of a provider whose driver could not be made. */
export function explainSetup(thrown: unknown, provider: DriverCode): DriverError {
  const error = explainPart(thrown);
  const known = isDriverError(error) ? error : undefined;
  if (known && failurePolicies[known.code].offline) return known;
  const message = known ? known.message : explainBug(error, provider);
  const hint = known ? known.hint : hintOfPart(error);
  return new DriverError('not_installed', message, { kind: 'driver_setup', cause: thrown, hint });
}

function hintOfPart(error: unknown): string | undefined {
  return error instanceof ProgramGone ? error.hint : undefined;
}

/** What a driver threw that is no error of the contract, and where, for its author. */
function explainBug(error: unknown, { codeDirectory }: DriverCode): string {
  return error instanceof ProgramGone ? error.message : withPlace(messageOf(error), codeDirectory, error);
}

/** The error for a driver whose answer has no end. */
export function cutShort(driverAlias: string): DriverError {
  const message = `the answer was cut short: driver "${driverAlias}" ended without a finish`;
  return new DriverError('protocol', message, { kind: 'truncated' });
}
