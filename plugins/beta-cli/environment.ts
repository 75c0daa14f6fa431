import type { DriverContext } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import type { Options } from './options';

/** Each of them wins over the login, and may be of another account. */
export const KEYS = ['CURSOR_API_KEY', 'CURSOR_AUTH_TOKEN'];

/**
 * The changes to the environment of a run. Throws `auth` when the variable that the provider names is not set: the CLI would
 * fall back to its login, and bill the wrong account.
 */
export function environment(context: DriverContext<Options>): Record<string, string | undefined> {
  const changes = plainEnvironment(KEYS);
  const { api_key_env: keyName } = context.options;
  // A token of the login is no key: it goes under its own name.
  if (keyName) changes[keyName === 'CURSOR_AUTH_TOKEN' ? keyName : 'CURSOR_API_KEY'] = context.requireApiKey();
  return changes;
}
