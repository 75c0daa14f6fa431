import type { DriverContext } from 'drivebay/plugin';
import type { KeepingOptions } from '../_shared/cli/cli-run';
import { type Changes, keyedEnvironment } from '../_shared/cli/plain-environment';
import type { Cli } from './cli';

export interface Options extends KeepingOptions {
  command: string;
}

/** Keys that would move the bill from the login to an account of an API. */
export const KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];
/** The key of another service of the vendor. The CLI looks for it under this name only. */
const CLOUD_KEY = 'GOOGLE_API_KEY';

/** Whether the key is one that Gemini CLI uses as "gemini-api-key". */
export function paysByGeminiKey({ api_key_env: keyName }: Options): boolean {
  return Boolean(keyName) && keyName !== CLOUD_KEY;
}

/** What a run needs whatever pays. */
export const ALWAYS: Readonly<Changes> = {
  // Otherwise the CLI starts itself once more, as a child that signals do not reach.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  QWEN_CODE_NO_RELAUNCH: 'true',
  // Without a terminal the CLI refuses to work in a folder that the user has not trusted.
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  // With less, each run writes a warning to its standard error.
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  DEBUG: undefined,
};

export function environment(context: DriverContext<Options>, dialect: Cli['dialect']): Changes {
  const keyed = keyedEnvironment(context, KEYS, (name) => {
    if (dialect === 'qwen') return [name, 'OPENAI_API_KEY'];
    return paysByGeminiKey(context.options) ? [name, 'GEMINI_API_KEY'] : [name];
  });
  return { ...keyed, ...ALWAYS };
}
