import type { DriverContext } from 'drivebay/plugin';
import type { CliOptions } from './cli-run';

/** Changes to an environment. Undefined removes a variable. */
export type Changes = Record<string, string | undefined>;

/** Variables that a program finds when it runs inside of an agent. It would behave differently or refuse to start. */
const NESTED_RUN = `
  CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_EXECPATH CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID
  CLAUDE_CODE_SESSION_ACCESS_TOKEN CLAUDE_CODE_CHILD_SESSION CLAUDE_EFFORT AI_AGENT
  CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID CODEX_SESSION_ID CODEX_TOOL_CALL_ID
  CODEX_CI CODEX_VERSION CODEX_MANAGED_BY_NPM CODEX_MANAGED_BY_BUN CODEX_MANAGED_PACKAGE_ROOT
  CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS
  CURSOR_AGENT CURSOR_INVOKED_AS CURSOR_TRACE_ID
  GEMINI_CLI GEMINI_CLI_IDE_SERVER_PORT GEMINI_CLI_IDE_WORKSPACE_PATH GEMINI_CLI_IDE_AUTH_TOKEN
  GEMINI_CLI_IDE_PID GEMINI_CLI_IDE_SERVER_STDIO_COMMAND GEMINI_CLI_IDE_SERVER_STDIO_ARGS
  QWEN_CODE QWEN_CODE_IDE_SERVER_PORT QWEN_CODE_IDE_WORKSPACE_PATH
`;
/** Colours would stand in the text that we read. */
const COLOURS = 'FORCE_COLOR CLICOLOR_FORCE';

const REMOVED = `${NESTED_RUN} ${COLOURS}`.trim().split(/\s+/);

/**
 * The changes to the environment that let any agent CLI run as from a plain terminal without colours. `keys`: variables that
 * would move the bill from the login of the program to an account of an API.
 */
export function plainEnvironment(keys: readonly string[] = []): Changes {
  return Object.fromEntries([['NO_COLOR', '1'], ...[...REMOVED, ...keys].map((name) => [name, undefined] as const)]);
}

/**
 * The same with the provider's key, under each of the names for it. Throws `auth` when the variable that the provider names is
 * not set: the program would fall back to its login, and bill the wrong account.
 */
export function keyedEnvironment(
  { options, requireApiKey }: Pick<DriverContext<CliOptions>, 'options' | 'requireApiKey'>,
  keys: readonly string[],
  namesOf: (keyName: string) => readonly string[],
): Changes {
  const changes = plainEnvironment(keys);
  if (!options.api_key_env) return changes;
  const key = requireApiKey();
  for (const name of namesOf(options.api_key_env)) changes[name] = key;
  return changes;
}
