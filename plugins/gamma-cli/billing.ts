import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, textOf } from '../_shared/fields';
import type { Cli } from './cli';
import type { Options } from './options';

const LOGINS = ['oauth-personal', 'qwen-oauth'];

/** A file in the CLI's own folder. */
export function ownFile(dialect: Cli['dialect'], name: string): string {
  const home = (dialect === 'gemini' && process.env.GEMINI_CLI_HOME) || homedir();
  return join(home, `.${dialect}`, name);
}

/** Which purse pays: `subscription`, `api-key (WHERE)`, `account (WHICH)`, or `unknown`. */
export async function billing({ api_key_env: keyName }: Options, dialect: Cli['dialect']): Promise<string> {
  if (keyName) return `api-key (${keyName})`;
  const type = selectedType(await readFile(ownFile(dialect, 'settings.json'), 'utf8').catch(() => ''));
  if (type === undefined) return 'unknown';
  if (LOGINS.includes(type)) return 'subscription';
  return /api-key|openai/.test(type) ? 'api-key (settings of the CLI)' : `account (${type})`;
}

function selectedType(text: string): string | undefined {
  try {
    const { security } = fieldsOf(JSON.parse(text));
    return textOf(fieldsOf(fieldsOf(security).auth).selectedType);
  } catch {
    // The CLI allows comments. This one line does not need a parser for them.
    return /"selectedType"\s*:\s*"([\w-]+)"/.exec(text)?.[1];
  }
}
