import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isFields } from '../_shared/fields';
import type { Cli } from './cli';
import type { Options } from './options';

const LOGINS = new Set(['oauth-personal', 'qwen-oauth']);

/** Which purse pays: `subscription`, `api-key (WHERE)`, `account (WHICH)`, or `unknown`. */
export async function billing({ api_key_env: keyName }: Options, { dialect }: Pick<Cli, 'dialect'>): Promise<string> {
  if (keyName) return `api-key (${keyName})`;
  const home = (dialect === 'gemini' && process.env.GEMINI_CLI_HOME) || homedir();
  const text = await readFile(join(home, `.${dialect}`, 'settings.json'), 'utf8').catch(() => '');
  const type = selectedType(text);
  if (type === undefined) return 'unknown';
  if (LOGINS.has(type)) return 'subscription';
  return /api-key|openai/.test(type) ? 'api-key (settings of the CLI)' : `account (${type})`;
}

function selectedType(text: string): string | undefined {
  try {
    const settings: unknown = JSON.parse(text);
    const security = isFields(settings) && isFields(settings.security) ? settings.security : {};
    const type = isFields(security.auth) ? security.auth.selectedType : undefined;
    return typeof type === 'string' ? type : undefined;
  } catch {
    // The CLI allows comments; it is not worth a parser to know this one line.
    return /"selectedType"\s*:\s*"([\w-]+)"/.exec(text)?.[1];
  }
}
