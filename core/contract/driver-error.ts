import { codeOf } from '../errors';
import type { DriverContext, DriverErrorCode, DriverErrorDetails, ErrorKind } from './api';
import { failurePolicies } from './failure-policy';

/** A record, so that the compiler complains when the contract gets a value that is missing here. */
const KINDS: Record<Exclude<ErrorKind, DriverErrorCode>, true> = {
  client_gone: true,
  killed: true,
  shutdown: true,
  missing_key: true,
  login_required: true,
  usage_limit: true,
  overloaded: true,
  model_unavailable: true,
  context_overflow: true,
  permission_blocked: true,
  untrusted_workspace: true,
  crashed: true,
  binary_missing: true,
  binary_not_executable: true,
  interpreter_missing: true,
  binary_broken: true,
  spawn_failed: true,
  working_directory: true,
  unusable_argument: true,
  line_too_long: true,
  bad_option: true,
  program_config: true,
  billing: true,
  content_filter: true,
  truncated: true,
  empty: true,
  driver_bug: true,
  driver_setup: true,
  untrusted_project: true,
  rate_limit_exceeded: true,
  budget_exceeded: true,
};

/** Every value that `details.kind` may have. */
export const errorKinds = Object.keys({ ...failurePolicies, ...KINDS }) as readonly ErrorKind[];

const isText = (value: unknown): boolean => typeof value === 'string';

/** Plug-ins are not compiled against the contract, so each detail is checked. */
const DETAILS: Record<keyof DriverErrorDetails, (value: unknown) => boolean> = {
  kind: (value) => (errorKinds as readonly unknown[]).includes(value),
  param: isText,
  status: (value) => Number.isInteger(value),
  retryAfterS: (value) => plausibleWait(value) !== undefined,
  hint: isText,
  sideEffects: (value) => typeof value === 'boolean',
  answer: () => true,
  cause: () => true,
};

function isSound([name, value]: [string, unknown]): boolean {
  return value === undefined || (Object.hasOwn(DETAILS, name) && DETAILS[name as keyof DriverErrorDetails](value));
}

/** The details that an error leaves out, in words for the author of a driver. */
export function unsoundDetails(details: object): string[] {
  const unsound = Object.entries(details).filter((detail) => !isSound(detail));
  return unsound.map(([name, value]) => `${name} ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** The error that `context.error(...)` of the contract makes. It leaves unsound details out. */
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
    const sound: DriverErrorDetails = Object.fromEntries(Object.entries(details).filter(isSound));
    const { kind = code, param, status, retryAfterS, hint, sideEffects = false, answer } = sound;
    this.name = 'DriverError';
    this.kind = kind;
    this.param = param;
    this.status = status;
    this.retryAfterS = plausibleWait(retryAfterS);
    this.hint = hint;
    this.sideEffects = sideEffects;
    this.answer = answer;
  }
}

/** `context.error` of the contract. A driver in plain JavaScript may give a code that does not exist. */
export const makeDriverError: DriverContext['error'] = (code, message, details) => {
  if (Object.hasOwn(failurePolicies, code)) return new DriverError(code, message, details);
  const codes = Object.keys(failurePolicies).join(', ');
  throw new TypeError(`context.error has no code "${code as string}" (it has ${codes}); the error was: ${message}`);
};

/** True for errors of a second copy of the class as well: a plug-in may bring its own, and realms differ under jest. */
export function isDriverError(error: unknown): error is DriverError {
  const code = codeOf(error);
  return code !== undefined && Object.hasOwn(failurePolicies, code) && (error as Error).name === 'DriverError';
}

/** No quota has a longer period: a larger value is a mistake, for example a time instead of a duration. */
const LONGEST_S = 31 * 24 * 60 * 60;

/** A duration that a client can act on, in whole seconds; undefined for anything else. */
export function plausibleWait(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number') return undefined;
  return seconds >= 0 && seconds <= LONGEST_S ? Math.ceil(seconds) : undefined;
}
