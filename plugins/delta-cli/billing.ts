import type { DriverContext } from 'drivebay/plugin';
import { fieldsOf, textOf } from '../_shared/fields';
import { codexConfig } from './codex-config';
import { ACCESS_TOKEN, environment } from './environment';
import type { Options } from './options';

const LIMIT_MS = 5_000;
/** The model provider whose bill goes to the login, or to the key in its place. */
const VENDOR = 'openai';

/** Which purse pays, as far as the configuration says it; undefined where it is the login of the CLI. */
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
  return (await configuredBilling(context.options)) ?? (await loginBilling(context, program));
}

async function loginBilling(context: DriverContext<Options>, program: string): Promise<string> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const run = await context.spawn(program, ['login', 'status'], { env: environment(context), input: '', signal });
    let said = '';
    for await (const line of run.lines()) said += `${line}\n`;
    await run.exited;
    // It has been on either stream.
    said += run.stderr;
    if (/Logged in using ChatGPT/i.test(said)) return 'subscription';
    return /API key/i.test(said) ? 'api-key (codex login)' : 'unknown';
  } catch {
    return 'unknown';
  }
}
