import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { Options } from './options';

/** Adds to an error of the HTTP layer what only the driver knows: the variable of the key, the model, the address. */
export function explainError(context: DriverContext<Options>, url: URL, failure: DriverFailure, model?: string): Error {
  const hint = findHint(context.options, url, failure, model);
  return hint === undefined ? failure : withHint(context, failure, hint);
}

/** The same error with another hint. */
export function withHint(context: Pick<DriverContext, 'error'>, failure: DriverFailure, hint: string): Error {
  const { code, message, kind, status, retryAfterS, cause } = failure;
  return context.error(code, message, {
    hint,
    cause,
    ...(isModelMissing(failure) ? { kind: 'model_unavailable' } : kind !== undefined && { kind }),
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

function isModelMissing({ status, message }: DriverFailure): boolean {
  return status === 404 && /model/i.test(message);
}
