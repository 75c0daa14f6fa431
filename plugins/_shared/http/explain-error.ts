import type { DriverContext, DriverErrorCode, DriverErrorDetails, DriverFailure } from 'drivebay/plugin';
import { fieldsOf, textOf, type Fields } from '../fields';
import { waitSpan } from '../wait-span';

export type MakeError = DriverContext['error'];

/** A driver's reading of an error answer. `note` goes behind the message, in brackets. */
export type Advice = Pick<DriverErrorDetails, 'kind' | 'hint' | 'retryAfterS'> & {
  code?: DriverErrorCode;
  note?: string | undefined;
};

const MESSAGE_LIMIT = 2_000;

/** Adds to an error of the HTTP layer what only the driver knows. `advice` wins over what holds for every API. */
export function explainError(
  context: DriverContext<{ api_key_env?: string }>,
  failure: DriverFailure,
  advice: Advice,
  url: URL,
  model?: string,
): Error {
  const { error } = context;
  const { status, cause, param, answer } = failure;
  const message = advice.note === undefined ? failure.message : `${failure.message} (${advice.note})`;
  const code = advice.code ?? failure.code;
  const common = status === undefined ? {} : adviceOn(code, failure, context, url, model);
  const kind = advice.kind ?? common.kind;
  const hint = advice.hint ?? common.hint;
  const retryAfterS = failure.retryAfterS ?? advice.retryAfterS ?? waitIn(code, failure);
  if (code === failure.code && (kind ?? hint) === undefined && retryAfterS === failure.retryAfterS) return failure;
  return error(code, message, {
    kind: kind ?? failure.kind,
    hint: hint ?? failure.hint,
    status,
    retryAfterS,
    param,
    answer,
    cause,
  });
}

/** Within a stream there is no header for it, and some servers send none. */
function waitIn(code: DriverErrorCode, { message }: DriverFailure): number | undefined {
  const ms = code === 'rate_limited' ? waitSpan(message) : undefined;
  return ms === undefined ? undefined : ms / 1000;
}

function adviceOn(
  code: DriverErrorCode,
  { status, message }: DriverFailure,
  context: DriverContext<{ api_key_env?: string }>,
  { origin, pathname }: URL,
  model?: string,
): Advice {
  if (code === 'auth') return { hint: keyHint(context) };
  if (status === 402) return { kind: 'billing' };
  if (status === 529) return { kind: 'overloaded' };
  if (status !== 404) return {};
  const named = model === undefined ? 'the model name' : `the model name "${model}"`;
  return {
    kind: /model/i.test(message) ? 'model_unavailable' : undefined,
    hint: `check ${named} and base_url (the request went to ${origin}${pathname})`,
  };
}

/** Signs that more than the key was copied. */
const AROUND_KEYS: readonly [RegExp, string][] = [
  [/^Bearer\s/i, 'begins with "Bearer"'],
  [/^(["'`]).*\1$/s, 'has quotation marks around the key'],
  [/^\s|\s$/, 'has blanks or line breaks around the key'],
];

function keyHint(context: DriverContext<{ api_key_env?: string }>): string {
  const { api_key_env: variable } = context.options;
  if (!variable) return 'the server wants a key: name its environment variable in api_key_env';
  const key = context.apiKey() ?? '';
  const [, found] = AROUND_KEYS.find(([form]) => form.test(key)) ?? [];
  return found === undefined
    ? `check the key in ${variable}`
    : `the value of ${variable} ${found}; only the key belongs there`;
}

/** The error object in an error answer; empty when there is none. A server may answer with a list of one object. */
export function errorIn(answer: unknown): Fields {
  return fieldsOf(fieldsOf(Array.isArray(answer) ? answer[0] : answer).error);
}

/** The error that a server reports inside an answer of status 200, with the status that it gives there. */
export function reportedError(
  makeError: MakeError,
  reporter: 'server' | 'vendor',
  error: unknown,
  details: { code?: DriverErrorCode; status?: number; answer?: unknown } = {},
): Error {
  const fields = fieldsOf(error);
  const text = textOf(error) ?? textOf(fields.message) ?? textOf(fields.detail) ?? JSON.stringify(error);
  const { code = codeForStatus(details.status), status, answer } = details;
  return makeError(code, `the ${reporter} reported an error: ${text.slice(0, MESSAGE_LIMIT)}`, { status, answer });
}

function codeForStatus(status: number | undefined): DriverErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limited';
  return status !== undefined && status < 500 ? 'rejected' : 'upstream';
}
