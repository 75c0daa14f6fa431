import type { DriverContext } from 'drivebay/plugin';
import { environment } from './environment';
import type { Options } from './options';

const LIMIT_MS = 5_000;

/** Which purse pays: `subscription`, `api-key (WHERE)`, or `unknown`. Asks the CLI, where the provider names no key. */
export async function billing(context: DriverContext<Options>, program: string): Promise<string> {
  const { api_key_env: keyName } = context.options;
  if (keyName) return `api-key (${keyName})`;
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
