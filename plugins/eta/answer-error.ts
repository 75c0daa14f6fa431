import type { DriverContext } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import { codeForStatus } from '../_shared/sdk/code-for-status';

export type MakeError = DriverContext['error'];

const MESSAGE_LIMIT = 2_000;

/** The status that the vendor has for each type of error, for those that come inside an answer of status 200. */
const STATUS: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The error that an answer, or a piece of one, is; undefined for every other piece. */
export function findAnswerError(piece: Fields, makeError: MakeError): Error | undefined {
  if (piece.type !== 'error' && !isFields(piece.error)) return undefined;
  const error = isFields(piece.error) ? piece.error : piece;
  const type = textOf(error.type) ?? '';
  const text = textOf(error.message) ?? textOf(piece.error) ?? (type || JSON.stringify(piece));
  const status = Object.hasOwn(STATUS, type) ? STATUS[type] : undefined;
  return makeError(codeForStatus(status), `the server reported an error: ${text.slice(0, MESSAGE_LIMIT)}`, {
    ...(status !== undefined && { status }),
  });
}
