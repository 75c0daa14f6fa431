import type { DriverErrorCode, ErrorKind } from '../../../contract/api';
import type { HttpError } from '../../../serving/http-error';
import type { SpelledError } from '../../dialect';
import { CallError, detailsOf, messageWithHint, paramOf } from '../../to-http-error';
import { ThreadRefused } from './refuse-thread';
import { fieldNames } from './request-fields';
import { overflowWords } from './overflow-words';

/** The status of a driver's failure, by its kind, else by its code. Others keep that of the gateway. */
const BY_KIND: Partial<Record<ErrorKind, number>> = {
  context_overflow: 400,
  model_unavailable: 404,
  content_filter: 400,
  billing: 402,
  overloaded: 503,
};
const BY_CODE: Partial<Record<DriverErrorCode, number>> = {
  rejected: 400,
  // 401 would send the user of a program to the login of its vendor, and hide the reason.
  auth: 403,
  rate_limited: 429,
};

/** A repetition gives the same again, and costs: clients make up to ten. */
const LASTING: ReadonlySet<ErrorKind> = new Set([
  'empty',
  'content_filter',
  'usage_limit',
  'billing',
  'budget_exceeded',
]);

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};

/** Never `overloaded_error`: clients repeat that whatever else an answer says. */
export function spellError(error: HttpError, requestId?: string): SpelledError {
  const call = error instanceof CallError ? error : undefined;
  const failure = call?.failure;
  const status = (failure && (BY_KIND[failure.kind] ?? BY_CODE[failure.code])) ?? error.status;
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const message = failure?.kind === 'context_overflow' ? overflowWords(error.message) : messageWithHint(error);
  const { code, headers } = error;
  const param = paramOf(error, fieldNames);
  const details = call ? detailsOf(call) : error instanceof ThreadRefused ? error.details : undefined;
  const isFinal = call
    ? !call.mayRetry || LASTING.has(call.failure.kind)
    : status === 401 || code === 'budget_exceeded';
  return {
    status,
    headers: isFinal ? { ...headers, 'x-should-retry': 'false' } : headers,
    body: {
      type: 'error',
      error: { type, message, code, param, details },
      request_id: requestId,
    },
  };
}
