import type { DriverContext } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import type { Options } from './options';

/** Keys that would move the bill from the login to an account of the API. */
export const KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'];

/** A login of its own, of a ChatGPT workspace. `CODEX_API_KEY` wins over it, and the backend does not take it for an API key. */
export const ACCESS_TOKEN = 'CODEX_ACCESS_TOKEN';

/**
 * The changes to the environment of a run. Throws `auth` when the variable that the provider names is not set: the CLI would
 * fall back to its login, and bill the wrong account.
 */
export function environment(context: DriverContext<Options>): Record<string, string | undefined> {
  const changes = plainEnvironment(KEYS);
  const { api_key_env: keyName } = context.options;
  if (!keyName) return changes;
  const key = context.requireApiKey();
  // A model provider of the user's configuration may ask for the key under its own name.
  changes[keyName] = key;
  if (keyName !== ACCESS_TOKEN) changes.CODEX_API_KEY = key;
  return changes;
}
