import type { DriverContext, DriverErrorCode } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../fields';

export type MakeError = DriverContext['error'];

const MESSAGE_LIMIT = 2_000;
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
  const fields = isFields(error) ? error : {};
  const text = textOf(error) ?? textOf(fields.message) ?? textOf(fields.detail) ?? JSON.stringify(error);
  const status = statusOf(fields.code) ?? statusOf(fields.status) ?? statusOf(fields.status_code);
  const words = [text, fields.code, fields.type].map(String).join(' ');
  return makeError(codeOf(status, words), `the server reported an error: ${text.slice(0, MESSAGE_LIMIT)}`, {
    ...(status !== undefined && { status }),
  });
}

function codeOf(status: number | undefined, words: string): DriverErrorCode {
  if (status === 401 || status === 403) return 'auth';
  return status === 429 || LIMIT_WORDS.test(words) ? 'rate_limited' : 'upstream';
}

function statusOf(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}
