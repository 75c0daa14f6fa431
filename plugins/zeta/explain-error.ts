import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { explainError as addHint } from '../_shared/chat-completions/explain-error';
import type { Options } from './options';
import { readVendorError } from './vendor-error';

/** Adds to an error of the HTTP layer what the vendor says in its body, and what only the driver knows. */
export function explainError(context: DriverContext<Options>, url: URL, failure: DriverFailure, model?: string): Error {
  return addHint(context, url, withVendorError(context, failure), model);
}

function withVendorError(context: DriverContext<Options>, failure: DriverFailure): DriverFailure {
  const error = readVendorError(failure.answer);
  if (!error) return failure;
  const { code, message, status } = failure;
  const retryAfterS = failure.retryAfterS ?? error.retryAfterS;
  return context.error(error.isAboutKey ? 'auth' : code, message, {
    cause: failure.cause,
    answer: failure.answer,
    ...(error.kind !== undefined && { kind: error.kind }),
    ...(status !== undefined && { status }),
    ...(retryAfterS !== undefined && { retryAfterS }),
  });
}
