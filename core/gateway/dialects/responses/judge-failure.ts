import type { ErrorKind } from '../../../contract/api';
import type { HttpError } from '../../../serving/http-error';
import { CallError, messageWithHint, unended } from '../../to-http-error';

/** A client waits this long in silence. A longer wait is better told to the user. */
const LONGEST_WAIT_S = 60;

/** A quota or an account at its end: the same request fails until somebody acts. */
const EXHAUSTED: ReadonlySet<ErrorKind> = new Set(['usage_limit', 'billing']);
/** The same request fails again. */
const LASTING: ReadonlySet<ErrorKind> = new Set(['empty', 'content_filter']);

/** How this wire reports a failure. */
interface Verdict {
  status: number;
  code: string;
  /** The code of a failure within a stream. */
  streamCode: string;
  /** Whether the client must not send the request again. Clients of this wire repeat most failures up to 30 times. */
  isFinal: boolean;
}

/**
 * A failure keeps the status of its kind only where a retry can help and cannot act twice. Every other one is reported in
 * the few forms after which clients stop: status 400, an unknown model, or in a stream the code `invalid_prompt`, whose
 * message they show.
 */
export function judge(error: HttpError): Verdict {
  const { status, code } = error;
  const final = (status: number, code: string, streamCode = 'invalid_prompt'): Verdict => {
    return { status, code, streamCode, isFinal: true };
  };
  const passing = (status: number, code: string, streamCode = 'server_error'): Verdict => {
    return { status, code, streamCode, isFinal: false };
  };
  if (code === 'budget_exceeded') return final(429, code, 'insufficient_quota');
  if (!(error instanceof CallError))
    return status === 429 || status === 503 ? passing(status, code) : final(status, code);
  const { failure, mayRetry } = error;
  const { kind, retryAfterS } = failure;
  if (kind === 'context_overflow') return final(400, 'context_length_exceeded', 'context_length_exceeded');
  if (kind === 'model_unavailable') return final(404, 'model_not_found');
  if (EXHAUSTED.has(kind)) return final(mayRetry ? 429 : 400, 'insufficient_quota');
  if (!mayRetry || LASTING.has(kind)) return final(400, code);
  if (failure.code === 'timeout') return final(504, code);
  if (failure.code === 'rate_limited' && kind !== 'overloaded') {
    const isShort = retryAfterS !== undefined && retryAfterS <= LONGEST_WAIT_S;
    return (isShort ? passing : final)(429, 'rate_limit_exceeded', isShort ? 'rate_limit_exceeded' : undefined);
  }
  const isBusy = kind === 'overloaded' || failure.status === 503;
  return passing(isBusy ? 503 : failure.status === 504 ? 504 : 502, code);
}

/** The failure of a stream that has begun, or of one that is refused in its own form. */
export function streamFailure(error: HttpError): { code: string; message: string } {
  const { streamCode: code } = judge(error);
  const waitS = error instanceof CallError ? error.failure.retryAfterS : undefined;
  // Clients read the wait from these words.
  const isWait = code === 'rate_limit_exceeded' && waitS !== undefined;
  return { code, message: isWait ? `${unended(error)}. Please try again in ${waitS}s.` : messageWithHint(error) };
}

/**
 * The fields of the event before `response.failed`: some SDKs recognize a failure only by this event. The vendor documents
 * them beside the type, where typed SDKs look for them, but sends them in `error`: so they are in both places.
 */
export function errorEvent({ code, message }: { code: string; message: string }) {
  const fields = { code, message, param: null };
  return { ...fields, error: { type: code, ...fields } };
}
