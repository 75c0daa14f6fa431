import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { Options } from './options';

const START_COMMANDS: Record<string, string> = {
  11434: 'ollama serve',
  1234: 'lms server start',
  8080: 'llama-server -m <model file>',
  8000: 'vllm serve <model>',
};

/** Adds to an error of the HTTP layer what only this driver knows: the variable, the addresses, the usual servers. */
export function explainError(context: DriverContext<Options>, url: URL, error: unknown, model?: string): Error {
  const failure = error as DriverFailure;
  const hint = findHint(context.options, url, failure, model);
  if (hint === undefined) return failure;
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
  if (failure.status === 404) {
    const named = model === undefined ? 'the model name' : `the model name "${model}"`;
    return `check ${named} and base_url (the request went to ${url.origin}${url.pathname})`;
  }
  if (failure.code !== 'unreachable' || !isLoopback(url)) return undefined;
  const command = Object.hasOwn(START_COMMANDS, url.port) ? START_COMMANDS[url.port] : undefined;
  return command && `${failure.hint ?? 'is the server running?'} Start it with: ${command}`;
}

function isModelMissing({ status, message }: DriverFailure): boolean {
  return status === 404 && /model/i.test(message);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
