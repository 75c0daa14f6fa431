import type { DriverContext } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import type { Options } from './options';

/** Keys that would move the bill from the login to an account of the API. */
const BILLING = ['CODEX_API_KEY', 'OPENAI_API_KEY'];

/** A login of its own, of a ChatGPT workspace. `CODEX_API_KEY` wins over it, and the backend takes it for no API key. */
export const ACCESS_TOKEN = 'CODEX_ACCESS_TOKEN';

/**
 * The changes to the environment of a run. Throws `auth` when the variable that the provider names is not set: the CLI
 * would fall back to its login, and bill the wrong account.
 */
export function environment(context: DriverContext<Options>): Record<string, string | undefined> {
  const changes = plainEnvironment();
  for (const name of BILLING) changes[name] = undefined;
  const { api_key_env: keyName } = context.options;
  if (!keyName) return changes;
  const key = context.requireApiKey();
  // Under its own name for a model provider of the user's configuration, which may ask for it.
  return { ...changes, [keyName]: key, ...(keyName !== ACCESS_TOKEN && { CODEX_API_KEY: key }) };
}
