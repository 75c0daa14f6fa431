import type { DriverContext, DriverFailure, ErrorKind } from 'drivebay/plugin';
import { isFields, textOf } from '../fields';
import type { Options } from './options';

const KINDS: Record<string, ErrorKind> = {
  insufficient_quota: 'usage_limit',
  context_length_exceeded: 'context_overflow',
  model_not_found: 'model_unavailable',
};

/**
 * Adds to an error of the HTTP layer what only the driver knows: the variable of the key, the model, the address, and what
 * the codes of this wire mean.
 */
export function explainError(context: DriverContext<Options>, url: URL, failure: DriverFailure, model?: string): Error {
  return withHint(context, failure, findHint(context.options, url, failure, model) ?? failure.hint);
}

/** The same error with another hint. */
export function withHint(context: Pick<DriverContext, 'error'>, failure: DriverFailure, hint?: string): Error {
  const { code, message, kind = code, status, retryAfterS, cause } = failure;
  const found = findKind(failure) ?? kind;
  if (hint === failure.hint && found === kind) return failure;
  return context.error(code, message, {
    kind: found,
    cause,
    ...(hint !== undefined && { hint }),
    ...(status !== undefined && { status }),
    ...(retryAfterS !== undefined && { retryAfterS }),
  });
}

function findHint(options: Options, url: URL, failure: DriverFailure, model?: string): string | undefined {
  if (failure.code === 'auth' && failure.status !== undefined) {
    return options.api_key_env
      ? `check the key in ${options.api_key_env}`
      : 'the server wants a key: name its environment variable in api_key_env';
  }
  if (failure.status !== 404) return undefined;
  const named = model === undefined ? 'the model name' : `the model name "${model}"`;
  return `check ${named} and base_url (the request went to ${url.origin}${url.pathname})`;
}

function findKind({ status, message, answer }: DriverFailure): ErrorKind | undefined {
  const error = isFields(answer) && isFields(answer.error) ? answer.error : {};
  const word = textOf(error.code);
  if (word !== undefined && Object.hasOwn(KINDS, word)) return KINDS[word];
  if (status === 529) return 'overloaded';
  return status === 404 && /model/i.test(message) ? 'model_unavailable' : undefined;
}
