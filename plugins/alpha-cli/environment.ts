import type { SpawnOptions } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';

/** Each of them takes the bill from the subscription to an API account, silently. */
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];
/** What the program knows a credential by; under any other name it is an API key. */
const CREDENTIALS = new Set([...KEYS, 'CLAUDE_CODE_OAUTH_TOKEN']);

export interface EnvironmentParts {
  /** The provider's own key, and the variable that it is from. */
  key?: { name: string; value: string } | undefined;
  maxTokens?: number | undefined;
  /** Whether `@path` in the prompt is plain text. */
  isPlainText?: boolean;
}

/** What is changed in the environment of a run. */
export function childEnvironment({
  key,
  maxTokens,
  isPlainText,
}: EnvironmentParts): Pick<SpawnOptions, 'env' | 'envDefaults'> {
  const env = plainEnvironment();
  env.TERM = 'dumb';
  for (const name of KEYS) env[name] = undefined;
  if (key) env[CREDENTIALS.has(key.name) ? key.name : 'ANTHROPIC_API_KEY'] = key.value;
  if (maxTokens !== undefined) env.CLAUDE_CODE_MAX_OUTPUT_TOKENS = String(maxTokens);
  // Otherwise the program reads the file and sends its content along, even without any tools.
  if (isPlainText) env.CLAUDE_CODE_DISABLE_ATTACHMENTS = '1';
  // A broken stream is an error, not a second answer after half of the first.
  env.CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK = '1';
  // Its own ten retries take three minutes; an update must not swap the program under a running daemon.
  return { env, envDefaults: { CLAUDE_CODE_MAX_RETRIES: '2', DISABLE_AUTOUPDATER: '1' } };
}
