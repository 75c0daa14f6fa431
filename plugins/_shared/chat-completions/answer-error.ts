import type { DriverErrorCode } from 'drivebay/plugin';
import { fieldsOf, textOf, type Fields } from '../fields';
import { reportedError, type MakeError } from '../http/explain-error';

const LIMIT_WORDS = /rate.?limit|too many requests|insufficient_quota|quota exceeded/i;

/**
 * The error that a server reports inside an answer of status 200, as a chunk of a stream or as the whole body;
 * undefined when the object is an ordinary piece of an answer.
 */
export function findAnswerError(answer: Fields, makeError: MakeError): Error | undefined {
  const { error } = answer;
  if (error !== undefined && error !== null && error !== false && error !== '') return toError(error, makeError);
  if (Array.isArray(answer.choices)) return undefined;
  const isBare = answer.object === 'error' || answer.type === 'error' || textOf(answer.message ?? answer.detail);
  return isBare ? toError(answer, makeError) : undefined;
}

function toError(error: unknown, makeError: MakeError): Error {
  const { code, type, status, status_code: other, message, detail } = fieldsOf(error);
  const found = statusOf(code) ?? statusOf(status) ?? statusOf(other);
  const words = [textOf(error), message, detail, code, type].join(' ');
  return reportedError(makeError, 'server', error, { code: codeOf(found, words), status: found });
}

function codeOf(status: number | undefined, words: string): DriverErrorCode {
  if (status === 401 || status === 403) return 'auth';
  return status === 429 || LIMIT_WORDS.test(words) ? 'rate_limited' : 'upstream';
}

function statusOf(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}
