import type { DriverFailure } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import { overflowAdvice } from '../_shared/http/context-overflow';
import { reportedError, type Advice, type MakeError } from '../_shared/http/explain-error';

/** The status that the vendor has for each type of error, for those that come inside an answer of status 200. */
const STATUS = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** The error that an answer, or a piece of one, is; undefined for every other piece. */
export function findAnswerError(piece: Fields, makeError: MakeError): Error | undefined {
  if (piece.type !== 'error' && !isFields(piece.error) && !textOf(piece.error)) return undefined;
  const error = piece.error ?? piece;
  const type = isFields(error) ? textOf(error.type) : undefined;
  return reportedError(makeError, 'server', error, { status: STATUS.get(type ?? '') });
}

export function adviceOn(failure: DriverFailure, variable?: string): Advice {
  const { status, message } = failure;
  if (status === undefined) return {};
  if (status === 529) return { kind: 'overloaded', hint: 'the vendor is overloaded: try again later' };
  if (status === 402 || /credit balance/i.test(message)) {
    return { kind: 'billing', hint: `add credit to the account that the key in ${variable} belongs to` };
  }
  return overflowAdvice(failure) ?? {};
}
