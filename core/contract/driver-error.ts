import { codeOf } from '../errors';
import type { DriverContext, DriverErrorCode, DriverErrorDetails, ErrorKind } from './api';
import { isErrorKind } from './error-kinds';

/** A record, so that the compiler complains when the contract gets a code that is missing here. */
const KNOWN_CODES: Record<DriverErrorCode, true> = {
  auth: true,
  unreachable: true,
  timeout: true,
  upstream: true,
  rejected: true,
  rate_limited: true,
  invalid_request: true,
  not_installed: true,
  protocol: true,
  canceled: true,
};

/** What `context.error(...)` of the contract makes: a failure of a backend, in terms of who can do something about it. */
export class DriverError extends Error {
  readonly kind: ErrorKind;
  readonly param: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterS: number | undefined;
  readonly hint: string | undefined;
  readonly sideEffects: boolean;
  readonly answer: unknown;

  constructor(
    readonly code: DriverErrorCode,
    message: string,
    details: DriverErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DriverError';
    this.kind = isErrorKind(details.kind) ? details.kind : code;
    this.param = details.param;
    this.status = details.status;
    this.retryAfterS = plausibleWait(details.retryAfterS);
    this.hint = details.hint;
    this.sideEffects = details.sideEffects ?? false;
    this.answer = details.answer;
  }
}

/** `context.error` of the contract. A driver in plain JavaScript may give a code that there is not. */
export const makeDriverError: DriverContext['error'] = (code, message, details) => {
  if (Object.hasOwn(KNOWN_CODES, code)) return new DriverError(code, message, details);
  const codes = Object.keys(KNOWN_CODES).join(', ');
  throw new TypeError(`context.error has no code "${code as string}" (it has ${codes}); the error was: ${message}`);
};

/** True for errors of a second copy of the class as well: a plug-in may bring its own, and realms differ under jest. */
export function isDriverError(error: unknown): error is DriverError {
  const code = codeOf(error);
  return code !== undefined && Object.hasOwn(KNOWN_CODES, code) && (error as Error).name === 'DriverError';
}

/** Longer than any quota's period: what asks for more is a mistake, for example a time instead of a duration. */
const LONGEST_S = 31 * 24 * 60 * 60;

/** A duration that a client can act on, in whole seconds; undefined for anything else, a past time among it. */
export function plausibleWait(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number') return undefined;
  return seconds >= 0 && seconds <= LONGEST_S ? Math.ceil(seconds) : undefined;
}
