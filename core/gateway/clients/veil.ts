import { DriverError } from '../../contract/driver-error';
import type { Attempt, LlmDevice } from '../../devices/device';
import { RouteFailure } from '../../devices/route-failure';
import { withoutHost } from '../../http/error-answer';
import { withoutAmount } from '../../limits/limit-reached';
import { QueueFullError } from '../../limits/slots';
import type { HttpError } from '../../serving/http-error';
import type { ErrorCode } from '../error-codes';
import { CallError, gatewayError } from '../to-http-error';

/** Names of drivers' backends: core puts them before messages, and into some. */
const PROVIDER = /provider "[^"]*"/g;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/g;
/** With a port, or with an end that fields of a request (`messages.0.content`) do not have. */
const HOST = /(?<![\w.-])(?:localhost:\d+|(?:[\w-]+\.)+(?:[\w-]+:\d+|(?:com|net|org|ai|io|dev|app|cn|eu)(?![\w-])))/gi;

/** Statuses of what is wrong with the request itself; undefined: the driver has found it. */
const OWN_FAULTS: readonly (number | undefined)[] = [undefined, 400, 413, 422];

/**
 * The failure of a route for a client that may not ask for its targets by name: without their names, hints and messages. The
 * log has them. A mistake in the request itself stays, because only the client can mend it. `requested`: the model that it names.
 */
export function veil(error: HttpError, cause: unknown, { name }: LlmDevice, requested = ''): HttpError {
  if (cause instanceof QueueFullError && cause.whose === 'provider') {
    return gatewayError(cause.code, `route "${name}": no target has answered (${cause.code})`, error);
  }
  if (!(error instanceof CallError)) return error;
  const { failure, code, mayRetry } = error;
  const { kind, param, status, retryAfterS, sideEffects } = failure;
  const isRefused = failure.code === 'rejected' || failure.code === 'invalid_request';
  const isOwnFault = isRefused && kind !== 'billing' && kind !== 'model_unavailable' && OWN_FAULTS.includes(status);
  const message = isOwnFault ? withoutNames(error, cause, name, requested) : `no target has answered (${kind})`;
  const told = new DriverError(failure.code, message, { kind, param, status, retryAfterS, sideEffects });
  return new CallError(code as ErrorCode, `route "${name}": ${message}`, told, name, mayRetry);
}

function withoutNames({ failure, provider }: CallError, cause: unknown, route: string, requested: string): string {
  const message = withoutHost(failure.message, 'the target').replace(PROVIDER, 'the target');
  const told = message
    .replaceAll(`"${provider}:`, `"${route}:`)
    .replace(ADDRESS, '(an address)')
    .replace(HOST, '(an address)');
  const model = cause instanceof RouteFailure ? cause.model : undefined;
  // The model comes first, because it may begin with the name of the provider.
  const named = withoutModel(told, model, route, requested);
  return provider === undefined ? named : named.replace(asWord(provider), 'the target');
}

function withoutModel(told: string, model: string | undefined, route: string, requested: string): string {
  if (!model || [model, `${route}:${model}`, `${route}/${model}`].includes(requested)) return told;
  // A short name may be a part of other words.
  return told.replace(new RegExp(`(?<!\\w)${escape(model)}(?!\\w)`, 'gi'), () => route);
}

/** A name of the owner's choice, which may also be a field of the request (`messages[0].text`): this one stays. */
function asWord(name: string): RegExp {
  return new RegExp(`(?<![\\w.-])${escape(name)}(?![\\w[-]|\\.\\w)`, 'gi');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * The failure for any client: it hides what the owner may spend on a provider, and in which file that stands. A client does see
 * its own budget.
 */
export function hideBudgets(error: HttpError): HttpError {
  if (!(error instanceof CallError)) return error;
  const { code, message, failure, provider, mayRetry, attempts } = error;
  const told = withoutBudgets(failure);
  return new CallError(code as ErrorCode, withoutAmount(message), told, provider, mayRetry, attempts?.map(withoutCost));
}

/** The same for a failure of a device. */
export function withoutBudgets(failure: DriverError): DriverError {
  const { message, hint } = failure;
  const told = { message: { value: withoutAmount(message) }, hint: { value: hint && withoutAmount(hint) } };
  if (!(failure instanceof RouteFailure)) return Object.create(failure, told) as DriverError;
  return Object.create(failure, { ...told, attempts: { value: failure.attempts.map(withoutCost) } }) as DriverError;
}

function withoutCost(attempt: Attempt): Attempt {
  return { ...attempt, message: withoutAmount(attempt.message) };
}
