import type { DriverContext, DriverErrorDetails, DriverFailure } from 'drivebay/plugin';
import type { Options } from './options';

/** Adds to an error what only this driver knows: what the vendor's statuses and words mean, and the names to look at. */
export function explainError(
  context: DriverContext<Options>,
  failure: DriverFailure,
  address: URL,
  model?: string,
): Error {
  const advice = findAdvice(context.options, failure, address, model);
  if (!advice) return failure;
  const { code, message, kind, status, retryAfterS, cause } = failure;
  return context.error(code, message, {
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    cause,
    ...advice,
  });
}

function findAdvice(
  { api_key_env: variable }: Options,
  { code, status, message }: DriverFailure,
  { origin, pathname }: URL,
  model?: string,
): Pick<DriverErrorDetails, 'kind' | 'hint'> | undefined {
  if (status === undefined) return undefined;
  if (status === 529) return { kind: 'overloaded', hint: 'the vendor has too much to do: try again later' };
  if (status === 402 || /credit balance/i.test(message)) {
    return { kind: 'usage_limit', hint: `add credit to the account that the key in ${variable} belongs to` };
  }
  if (/prompt is too long|context (window|length|limit)/i.test(message)) {
    return { kind: 'context_overflow', hint: 'shorten the conversation, or use a model with a larger context window' };
  }
  if (code === 'auth') return { hint: `check the key in ${variable}` };
  if (status !== 404) return undefined;
  const named = model === undefined ? 'the model name' : `the model name "${model}"`;
  return {
    ...(/model/i.test(message) && { kind: 'model_unavailable' }),
    hint: `check ${named} and base_url (the request went to ${origin}${pathname})`,
  };
}
