import { DriverError } from '../../contract/driver-error';
import type { LlmDevice } from '../../devices/device';
import type { HttpError } from '../../serving/http-error';
import type { ErrorCode } from '../error-codes';
import { CallError } from '../to-http-error';

/** Names of drivers' backends: core puts them before messages, and into some. */
const PROVIDER = /provider "[^"]*"/g;

/**
 * The failure of a route for a client that may not ask for its targets by name: without their names, hints and messages. The
 * log has them. What is wrong with the request itself stays, because only the client can mend it.
 */
export function veil(error: HttpError, { name }: LlmDevice): HttpError {
  if (!(error instanceof CallError)) return error;
  const { failure, code, mayRetry } = error;
  const { kind, param, status, retryAfterS, sideEffects } = failure;
  const isOwnFault = failure.code === 'rejected' || failure.code === 'invalid_request';
  const message = isOwnFault ? failure.message.replace(PROVIDER, 'the target') : `no target has answered (${kind})`;
  const told = new DriverError(failure.code, message, { kind, param, status, retryAfterS, sideEffects });
  return new CallError(code as ErrorCode, `route "${name}": ${message}`, told, name, mayRetry);
}
