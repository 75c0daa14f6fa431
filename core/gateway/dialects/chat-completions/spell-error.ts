import type { HttpError } from '../../../serving/http-error';
import type { SpelledError } from '../../dialect';
import { CallError, detailsOf } from '../../to-http-error';
import { upstreamStatus } from './upstream-status';

/** The type that clients of this wire know for an account without money. */
const BUDGET_TYPE = 'insufficient_quota';
const TYPES: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

export function spellError(error: HttpError): SpelledError {
  return spellAt(error.status, error);
}

/** The same with the status that the kind of a driver's failure has, for clients that repeat every 502. */
export function spellUpstream(error: HttpError): SpelledError {
  return spellAt(error instanceof CallError ? upstreamStatus(error) : error.status, error);
}

/** The same with a status of the caller's choice. */
export function spellAt(status: number, error: HttpError): SpelledError {
  const { code, message, param = null, headers } = error;
  const plainType = status >= 500 ? 'server_error' : (TYPES[status] ?? 'invalid_request_error');
  const type = code === 'budget_exceeded' ? BUDGET_TYPE : plainType;
  const plain = { message, type, code, param };
  const final = { ...headers, 'x-should-retry': 'false' };
  if (!(error instanceof CallError)) {
    return { status, headers: code === 'budget_exceeded' ? final : headers, body: { error: plain } };
  }
  return {
    status,
    headers: error.mayRetry ? headers : final,
    body: { error: { ...plain, details: { ...detailsOf(error), attempts: error.attempts } } },
  };
}
