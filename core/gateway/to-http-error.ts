import { type DriverError, isDriverError } from '../contract/driver-error';
import type { Attempt, LlmDevice } from '../devices/device';
import { RouteFailure } from '../devices/route-failure';
import { failurePolicies } from '../contract/failure-policy';
import { type LimitCode, LimitReached } from '../limits/limit-reached';
import { QueueFullError } from '../limits/slots';
import { explainPart, ProgramGone } from '../program-gone';
import { SharedStateAway } from '../shared-state/shared-state-away';
import { HttpError, type HttpErrorExtras } from '../serving/http-error';
import { TooDeepError } from '../subprocess/depth';
import { type ErrorCode, errorCodes } from './error-codes';

/** An HttpError with a code of the gateway, and its status. */
export function gatewayError(code: ErrorCode, message: string, extras?: HttpErrorExtras): HttpError {
  return new HttpError(errorCodes[code].status, code, message, extras);
}

export function shuttingDown(): HttpError {
  return gatewayError('shutting_down', 'drivebay is shutting down', { headers: { 'retry-after': '1' } });
}

export class CallError extends HttpError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly failure: DriverError,
    /** Undefined: the call did not get as far as a provider. */
    readonly provider: string | undefined,
    /** Whether the client may send the same request again. */
    readonly mayRetry: boolean,
    /** Of a route: every target that did not answer, in order. */
    readonly attempts?: readonly Attempt[],
  ) {
    const { param, retryAfterS } = failure;
    const headers: Record<string, string> = {};
    if (retryAfterS !== undefined) headers['retry-after'] = String(retryAfterS);
    super(errorCodes[code].status, code, message, { param, headers });
  }
}

/** The message with the way out behind it, for wires whose clients show their users nothing else of an error. */
export function messageWithHint(error: HttpError): string {
  const hint = error instanceof CallError ? error.failure.hint : undefined;
  return hint ? `${unended(error)}; ${hint}` : error.message;
}

/** The message without the full stop of a vendor's sentence, for words behind it. */
export function unended({ message }: HttpError): string {
  return message.replace(/(?<!\.)\.$/, '');
}

/** A message that a driver gets, or a place in it, as drivers name it. */
const DRIVERS_PLACE = /^messages\[\d+\](\.[^.]+)?$/;

/**
 * The field at fault, by its name in a wire whose messages are not those of drivers. A place that a driver names is cut to its
 * list: the number of the message is another one for the client.
 */
export function paramOf(error: HttpError, fieldNames: ReadonlyMap<string, string>): string | undefined {
  const { param } = error;
  const field = error instanceof CallError ? param?.replace(DRIVERS_PLACE, 'messages') : param;
  return fieldNames.get(field ?? '') ?? field;
}

/** Turns any error of a request into the error that is sent to the client. */
export function toHttpError(error: unknown, device?: LlmDevice): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof QueueFullError) {
    return gatewayError(error.code, error.message, { headers: { 'retry-after': '1' } });
  }
  if (error instanceof TooDeepError) return gatewayError(error.code, `${error.message}; ${error.hint}`);
  if (error instanceof LimitReached) return fromLimit(error);
  if (error instanceof SharedStateAway) {
    return gatewayError(error.code, error.message, { headers: { 'retry-after': '1' } });
  }
  if (error instanceof RouteFailure) return fromRoute(error);
  if (isDriverError(error)) return fromDriverError(error, device);
  const known = explainPart(error);
  if (known instanceof ProgramGone) return gatewayError('internal_error', `${known.message}; ${known.hint}`);
  return gatewayError('internal_error', 'drivebay failed on this request; its log says why');
}

/** What a client may read of a failure besides its message, on every wire that has room for it. */
export function detailsOf({ failure, provider }: CallError) {
  return {
    kind: failure.kind,
    provider,
    upstream_status: failure.status,
    retry_after_s: failure.retryAfterS,
    hint: failure.hint || undefined,
  };
}

function fromLimit({ code, message, hint, retryAfterS }: LimitReached): HttpError {
  return gatewayError(code, `${message}; ${hint}`, { headers: { 'retry-after': String(retryAfterS) } });
}

/** Limits of ours, which are no failure of a backend. */
const OWN_LIMITS: readonly string[] = ['rate_limit_exceeded', 'budget_exceeded'] satisfies LimitCode[];

/** Where no target is back sooner, a repetition cannot help. */
const SOON_S = 60;

function fromRoute(failure: RouteFailure): HttpError {
  const { device, attempts, route, isAgentAsked, retryAfterS = 0 } = failure;
  const error = fromDriverError(failure, device);
  if (!(error instanceof CallError)) return error;
  // Skipped targets may follow the last one that was asked.
  const last = attempts.findLastIndex(({ provider, kind }) => provider === device.name && kind === failure.kind);
  const before = attempts.slice(0, last).map(({ provider, kind }) => `${provider}: ${kind}`);
  const asked = before.length > 0 ? ` (before it ${before.join(', ')})` : '';
  const mayRetry = error.mayRetry && !isAgentAsked && retryAfterS <= SOON_S;
  const { code, message } = error;
  return new CallError(
    code as ErrorCode,
    `route "${route}": ${message}${asked}`,
    failure,
    device.name,
    mayRetry,
    attempts,
  );
}

function fromDriverError(failure: DriverError, device: LlmDevice | undefined): HttpError {
  if (failure.kind === 'shutdown') return shuttingDown();
  if (isOwnLimit(failure)) {
    const code = failure.kind as LimitCode;
    const message = device ? `provider "${device.name}": ${failure.message}` : failure.message;
    return new CallError(code, message, failure, device?.name, code !== 'budget_exceeded');
  }
  const policy = failurePolicies[failure.code];
  // With `none`, the client has left.
  const code = policy.client === 'none' ? 'upstream_error' : policy.client;
  // A bad request stays the client's own fault, also when the driver detects it.
  const isBackend = device !== undefined && code !== 'invalid_request';
  const message = isBackend ? `provider "${device.name}": ${failure.message}` : failure.message;
  // An SDK's silent retry would run an agent CLI, with all that it does, a second time.
  const mayRetry = policy.retryable && !failure.sideEffects && device?.driverKind !== 'cli';
  return new CallError(code, message, failure, device?.name, mayRetry);
}

/** A route is over its limits where all of its targets are. */
function isOwnLimit(failure: DriverError): boolean {
  const kinds = failure instanceof RouteFailure ? failure.attempts.map(({ kind }) => kind) : [failure.kind];
  return kinds.length > 0 && kinds.every((kind) => OWN_LIMITS.includes(kind)) && OWN_LIMITS.includes(failure.kind);
}
