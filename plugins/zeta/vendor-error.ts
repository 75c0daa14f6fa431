import type { DriverFailure, ErrorKind } from 'drivebay/plugin';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import { overflowAdvice } from '../_shared/http/context-overflow';
import { errorIn, reportedError, type Advice, type MakeError } from '../_shared/http/explain-error';

const WRONG_KEY = /API key (not valid|not found|expired)/i;

/** Reads the vendor's error object, which says more than the status. */
export function adviceOn(failure: DriverFailure): Advice {
  const { status, answer } = failure;
  const overflow = overflowAdvice(failure);
  if (overflow) return overflow;
  const error = errorIn(answer);
  const details = listOf(error.details).filter(isFields);
  // A wrong key is a bad request to the vendor.
  const isAboutKey =
    details.some(({ reason }) => reason === 'API_KEY_INVALID') || WRONG_KEY.test(textOf(error.message) ?? '');
  return {
    code: isAboutKey ? 'auth' : undefined,
    kind: kindOf(status, error, details),
    retryAfterS: delayOf(details),
  };
}

/** The error that a piece of an answer reports; undefined for an ordinary piece. */
export function findPieceError(piece: Fields, makeError: MakeError): Error | undefined {
  const { error } = piece;
  if (error === undefined || error === null) return undefined;
  const { code } = fieldsOf(error);
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
  return reportedError(makeError, 'vendor', error, { status, answer: piece });
}

function kindOf(status: number | undefined, error: Fields, details: Fields[]): ErrorKind | undefined {
  if (status === 429) return details.some(isDaily) ? 'usage_limit' : undefined;
  return error.code === 503 || error.status === 'UNAVAILABLE' ? 'overloaded' : undefined;
}

/** A limit per day does not pass by waiting a little, unlike a limit per minute. */
function isDaily({ violations }: Fields): boolean {
  return listOf(violations).some((violation) => /PerDay/i.test(textOf(fieldsOf(violation).quotaId) ?? ''));
}

/** `RetryInfo` holds what other vendors say in the header Retry-After: "37s", "1.5s". */
function delayOf(details: Fields[]): number | undefined {
  for (const { retryDelay } of details) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
