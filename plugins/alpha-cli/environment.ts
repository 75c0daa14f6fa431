import type { ChatRequest, DriverContext, SpawnOptions } from 'drivebay/plugin';
import type { KeepingOptions } from '../_shared/cli/cli-run';
import { keyedEnvironment } from '../_shared/cli/plain-environment';
import { NOTHING_EXTRA } from './further-fields';

/** The options of the manifest that the driver reads. */
export interface Options extends KeepingOptions {
  permission_mode: string;
}

/** Each of them silently moves the bill from the subscription to an API account. */
export const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];
/** The program takes this one for a subscription. */
const SUBSCRIPTION_TOKEN = 'CLAUDE_CODE_OAUTH_TOKEN';
/** The names that the program knows for a credential. The value of any other variable is handed over as an API key. */
const CREDENTIALS = [...KEYS, SUBSCRIPTION_TOKEN];
/** Each of them makes the program use a cloud account in place of a login or a key. */
export const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/** For chats: what they send is the client's, and stays as it is. */
const CHAT_VARIABLES = {
  // Otherwise the program reads a file that the prompt names by @path, and sends it along, even without any tools.
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  // 2.1.331 would sum up a long conversation, by requests that the user pays for.
  DISABLE_COMPACT: '1',
  // The backend knows what is too long for its model. With the variable above, the program takes this for the limit.
  CLAUDE_CODE_MAX_CONTEXT_TOKENS: '1000000000',
};

/** What is changed in the environment of a run. */
export function childEnvironment(
  context: DriverContext<Options>,
  { isChat, extraBody, ...limits }: TokenLimits & { isChat: boolean; extraBody?: string },
): Required<Pick<SpawnOptions, 'env' | 'envDefaults'>> {
  const env = keyedEnvironment(context, KEYS, (name) => [CREDENTIALS.includes(name) ? name : 'ANTHROPIC_API_KEY']);
  env.TERM = 'dumb';
  Object.assign(env, limitVariables(limits));
  if (isChat) Object.assign(env, CHAT_VARIABLES);
  if (extraBody !== undefined && extraBody !== NOTHING_EXTRA) env.CLAUDE_CODE_EXTRA_BODY = extraBody;
  // A broken stream is an error, not a second answer after half of the first.
  env.CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK = '1';
  // Its own ten retries take three minutes. An update must not swap the program under a running daemon.
  return { env, envDefaults: { CLAUDE_CODE_MAX_RETRIES: '2', DISABLE_AUTOUPDATER: '1' } };
}

/** The variables of a program that holds a conversation. */
export const SESSION_VARIABLES = {
  // The names of a client's tools stay as they are.
  CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1',
  ENABLE_TOOL_SEARCH: 'false',
  // A client may take as long as it wants. A limit of the user is meant for servers of the program.
  MCP_TOOL_TIMEOUT: '100000000',
  MAX_MCP_OUTPUT_TOKENS: '1000000',
};

type TokenLimits = Pick<ChatRequest, 'maxTokens' | 'thinkingBudget' | 'reasoningEffort'>;

/** The variables for the token limits of a request. */
export function limitVariables({ maxTokens, thinkingBudget, reasoningEffort }: TokenLimits): Record<string, string> {
  const limits: Record<string, string> = {};
  if (maxTokens !== undefined) limits.CLAUDE_CODE_MAX_OUTPUT_TOKENS = String(maxTokens);
  if (thinkingBudget !== undefined) limits.MAX_THINKING_TOKENS = String(thinkingBudget);
  // Models with a thinking budget would think until one token is left for the answer.
  else if (maxTokens !== undefined && !reasoningEffort) limits.MAX_THINKING_TOKENS = '0';
  return limits;
}

/** Who pays, where the environment or the name of the key tells it. */
export function configuredBilling({ api_key_env: keyName }: Pick<Options, 'api_key_env'>): string | undefined {
  const cloud = CLOUDS.find((variable) => /^(?:1|true|yes|on)$/i.test(process.env[variable] ?? ''));
  if (cloud !== undefined) return `cloud account (${cloud})`;
  return keyName === SUBSCRIPTION_TOKEN ? `subscription (${keyName})` : undefined;
}

/** The program refuses this itself, with exit code 1 and one line, so the warning comes before the first request. */
export function rootWarning(
  permissionMode: string,
  environment: NodeJS.ProcessEnv,
  userId: number | undefined,
): string | undefined {
  const isSandbox = environment.IS_SANDBOX === '1' || environment.CLAUDE_CODE_BUBBLEWRAP === '1';
  if (permissionMode !== 'bypassPermissions' || isSandbox || userId !== 0) return undefined;
  const way =
    'run it as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1';
  return `Claude Code refuses permission_mode bypassPermissions as root, and drivebay runs as root: ${way}`;
}
