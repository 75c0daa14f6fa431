import type { DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { fieldsOf, textOf } from '../_shared/fields';
import { codexConfig } from './codex-config';
import { ACCESS_TOKEN, environment } from './environment';
import type { Options } from './options';

const LIMIT_MS = 5_000;
/** The model provider that bills the login, or the key in its place. */
const VENDOR = 'openai';

/** Which purse pays, as far as the configuration says so. Undefined: the login of the CLI. */
export async function configuredBilling({ api_key_env: keyName }: Options): Promise<string | undefined> {
  const { model_provider, model_providers } = await codexConfig();
  const provider = textOf(model_provider);
  if (provider !== undefined && provider !== VENDOR) {
    const key = textOf(fieldsOf(fieldsOf(model_providers)[provider]).env_key);
    return key === undefined ? `model provider "${provider}" of codex` : `api-key (${key})`;
  }
  if (keyName === ACCESS_TOKEN) return `subscription (${keyName})`;
  return keyName ? `api-key (${keyName})` : undefined;
}

/** The same, or `subscription`, `api-key (codex login)`, or `unknown`: asks the CLI how it is logged in. */
export async function billing(context: DriverContext<Options>, program: string): Promise<string> {
  const configured = await configuredBilling(context.options);
  if (configured !== undefined) return configured;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answer = askProgram(context, program, ['login', 'status'], signal, environment(context));
  const { output } = await answer.catch(() => ({ output: '' }));
  if (/Logged in using ChatGPT/i.test(output)) return 'subscription';
  return /API key/i.test(output) ? 'api-key (codex login)' : 'unknown';
}
