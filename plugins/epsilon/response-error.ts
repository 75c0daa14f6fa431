import type { DriverErrorCode } from 'drivebay/plugin';
import { textOf, type Fields } from '../_shared/fields';
import { reportedError, type MakeError } from '../_shared/http/explain-error';

/** What the vendor's words for a failed answer mean; an unknown one is a failure of its own. */
const CODES = new Map<string, { code: DriverErrorCode; status: number }>([
  ['rate_limit_exceeded', { code: 'rate_limited', status: 429 }],
  ['insufficient_quota', { code: 'rate_limited', status: 429 }],
  ['context_length_exceeded', { code: 'rejected', status: 400 }],
  ['invalid_prompt', { code: 'rejected', status: 400 }],
  ['invalid_request_error', { code: 'rejected', status: 400 }],
  ['server_is_overloaded', { code: 'upstream', status: 503 }],
]);

/** The error that an answer, or a piece of one, reports. */
export function findResponseError(error: Fields, makeError: MakeError): Error {
  const known = CODES.get(textOf(error.code) ?? '') ?? { code: 'upstream', status: undefined };
  return reportedError(makeError, 'vendor', error, { ...known, answer: { error } });
}
