import { join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { ReadFile } from '../_shared/cli/file-version';
import { SUBSCRIPTION } from '../_shared/cli/findings';
import { type Changes, keyedEnvironment } from '../_shared/cli/plain-environment';
import { fieldsOf, isFields, parseJson, textOf } from '../_shared/fields';
import { codexConfig, codexHome } from './chat-settings';
import type { Options } from './options';

/** Keys that would move the bill from the login to an account of the API. */
export const KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'];
/** A login of its own, of a ChatGPT workspace. `CODEX_API_KEY` wins over it, and the backend does not take it for an API key. */
const ACCESS_TOKEN = 'CODEX_ACCESS_TOKEN';
const LIMIT_MS = 5_000;
/** The model provider that bills the login, or the key in its place. */
const VENDOR = 'openai';

/** The changes to the environment of a run. A model provider of the user's configuration may ask for the key by its own name. */
export function environment(context: DriverContext<Options>): Changes {
  return keyedEnvironment(context, KEYS, (name) => (name === ACCESS_TOKEN ? [name] : [name, 'CODEX_API_KEY']));
}

/** The model provider that the configuration of the CLI chooses in place of the vendor's, with the variable of its key. */
export async function modelProvider(): Promise<{ name: string; keyName?: string } | undefined> {
  const { model_provider, model_providers } = await codexConfig();
  const name = textOf(model_provider);
  if (name === undefined || name === VENDOR) return undefined;
  return { name, keyName: textOf(fieldsOf(fieldsOf(model_providers)[name]).env_key) };
}

/** Which purse pays, as far as the configuration says so. Undefined: the login of the CLI. */
export async function configuredBilling({ api_key_env: keyName }: Options): Promise<string | undefined> {
  const own = await modelProvider();
  if (own) return own.keyName === undefined ? `model provider "${own.name}" of codex` : `api-key (${own.keyName})`;
  if (keyName === ACCESS_TOKEN) return `${SUBSCRIPTION} (${keyName})`;
  return keyName ? `api-key (${keyName})` : undefined;
}

/** Whether a subscription pays, as the configuration and the CLI's own file of its login say. Starts no program. */
export async function hasSubscription(options: Options): Promise<boolean> {
  const configured = await configuredBilling(options);
  if (configured !== undefined) return configured.startsWith(SUBSCRIPTION);
  return login.get(join(codexHome(), 'auth.json'));
}

const login = new ReadFile((text) => {
  const { auth_mode: mode, OPENAI_API_KEY: key, tokens } = fieldsOf(parseJson(text));
  return textOf(mode) === undefined ? !key && isFields(tokens) : /chatgpt/i.test(String(mode));
});

/** The same, or `subscription`, `api-key (codex login)`, or `unknown`: asks the CLI how it is logged in. */
export async function billing(context: DriverContext<Options>, program: string): Promise<string> {
  const configured = await configuredBilling(context.options);
  if (configured !== undefined) return configured;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answer = askProgram(context, program, ['login', 'status'], signal, environment(context));
  const { output } = await answer.catch(() => ({ output: '' }));
  if (/Logged in using ChatGPT/i.test(output)) return SUBSCRIPTION;
  return /API key/i.test(output) ? 'api-key (codex login)' : 'unknown';
}
