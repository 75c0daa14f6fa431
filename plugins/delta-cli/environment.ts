import type { DriverContext } from 'drivebay/plugin';
import type { Options } from './options';

/** What a program finds when it runs inside of an agent, where it behaves differently or refuses to start. */
const NESTED_RUN = [
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_CI',
  'CODEX_VERSION',
  'CODEX_MANAGED_BY_NPM',
  'CODEX_MANAGED_BY_BUN',
  'CODEX_MANAGED_PACKAGE_ROOT',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_SESSION_ID',
];

/** Keys that would move the bill from the login to an account of the API. */
const BILLING = ['CODEX_API_KEY', 'OPENAI_API_KEY'];

/** Makes coloured text of what we read. */
const COLOURS = ['FORCE_COLOR', 'CLICOLOR_FORCE'];

/**
 * The changes to the environment of a run. Throws `auth` when the variable that the provider names is not set: the CLI
 * would fall back to its login, and bill the wrong account.
 */
export function environment(context: DriverContext<Options>): Record<string, string | undefined> {
  const changes: Record<string, string | undefined> = { NO_COLOR: '1' };
  for (const name of [...NESTED_RUN, ...BILLING, ...COLOURS]) changes[name] = undefined;
  const { api_key_env: keyName } = context.options;
  if (!keyName) return changes;
  const key = context.requireApiKey();
  // Under its own name for a model provider of the user's configuration, which may ask for it.
  return { ...changes, [keyName]: key, CODEX_API_KEY: key };
}
