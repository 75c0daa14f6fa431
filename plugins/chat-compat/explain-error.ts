import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { explainError as explainWireError, withHint } from '../_shared/chat-completions/explain-error';
import type { Options } from './options';

const START_COMMANDS: Record<string, string> = {
  11434: 'ollama serve',
  1234: 'lms server start',
  8080: 'llama-server -m <model file>',
  8000: 'vllm serve <model>',
};

/** Says how the usual local servers are started. */
export function explainError(context: DriverContext<Options>, url: URL, failure: DriverFailure, model?: string): Error {
  const command = isLoopback(url) && Object.hasOwn(START_COMMANDS, url.port) ? START_COMMANDS[url.port] : undefined;
  if (failure.code !== 'unreachable' || !command) return explainWireError(context, url, failure, model);
  return withHint(context, failure, `start the server: ${command}; or correct base_url`);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
