import type { DriverContext, ErrorKind } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import { codeForStatus } from '../_shared/sdk/code-for-status';

/** What the vendor's error object says beyond its status. */
export interface VendorError {
  message: string | undefined;
  status: number | undefined;
  kind: ErrorKind | undefined;
  retryAfterS: number | undefined;
  /** A wrong key is a bad request to the vendor, not a refused one. */
  isAboutKey: boolean;
}

const MESSAGE_LIMIT = 2_000;
const TOO_LONG = /token count .*exceeds the maximum/i;
const WRONG_KEY = /API key (not valid|not found|expired)/i;

/** Reads the body of an error answer, or a piece of a stream; undefined when there is no error in it. */
export function readVendorError(answer: unknown): VendorError | undefined {
  // A streamed method answers with a list.
  const body: unknown = Array.isArray(answer) ? answer[0] : answer;
  if (!isFields(body) || body.error === undefined || body.error === null) return undefined;
  const error = isFields(body.error) ? body.error : { message: body.error };
  const details = Array.isArray(error.details) ? error.details.filter(isFields) : [];
  const message = textOf(error.message);
  const status = typeof error.code === 'number' && error.code >= 400 && error.code < 600 ? error.code : undefined;
  return {
    message,
    status,
    kind: kindOf(status, error, details),
    retryAfterS: delayOf(details),
    isAboutKey: details.some(({ reason }) => reason === 'API_KEY_INVALID') || WRONG_KEY.test(message ?? ''),
  };
}

/** The error that a piece of an answer reports; undefined for an ordinary piece. */
export function toPieceError(piece: Fields, makeError: DriverContext['error']): Error | undefined {
  const error = readVendorError(piece);
  if (!error) return undefined;
  const { status, kind, retryAfterS, message = JSON.stringify(piece.error) } = error;
  const code = error.isAboutKey ? 'auth' : codeForStatus(status);
  return makeError(code, `the vendor reported an error: ${message.slice(0, MESSAGE_LIMIT)}`, {
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
    ...(retryAfterS !== undefined && { retryAfterS }),
  });
}

function kindOf(status: number | undefined, error: Fields, details: Fields[]): ErrorKind | undefined {
  if (status === 429) return details.some(isDaily) ? 'usage_limit' : undefined;
  if (status === 400) return TOO_LONG.test(textOf(error.message) ?? '') ? 'context_overflow' : undefined;
  return status === 503 || error.status === 'UNAVAILABLE' ? 'overloaded' : undefined;
}

/** A limit per day does not pass by waiting a little, unlike one per minute. */
function isDaily({ violations }: Fields): boolean {
  if (!Array.isArray(violations)) return false;
  return violations.filter(isFields).some(({ quotaId }) => /PerDay/i.test(textOf(quotaId) ?? ''));
}

/** `RetryInfo` holds what other vendors say in the header Retry-After: "37s", "1.5s". */
function delayOf(details: Fields[]): number | undefined {
  for (const { retryDelay } of details) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(retryDelay) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}
