import type { HttpError } from '../../../serving/http-error';
import type { SpelledError } from '../../dialect';
import { CallError } from '../../to-http-error';

/** The `type` of an error, as clients of this wire know it. */
export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'server_error',
] as const;

export function spellError(error: HttpError): SpelledError {
  const { status, code, message, param = null, headers } = error;
  const plain = { message, type: typeOf(status), code, param };
  if (!(error instanceof CallError)) return { status, headers, body: { error: plain } };
  const { failure, provider, mayRetry } = error;
  const details = {
    kind: failure.kind,
    provider,
    upstream_status: failure.status,
    retry_after_s: failure.retryAfterS,
    hint: failure.hint || undefined,
  };
  return {
    status,
    headers: mayRetry ? headers : { ...headers, 'x-should-retry': 'false' },
    body: { error: { ...plain, details } },
  };
}

function typeOf(status: number): (typeof ERROR_TYPES)[number] {
  if (status >= 500) return 'server_error';
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      return 'invalid_request_error';
  }
}
