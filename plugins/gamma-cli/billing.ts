import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Diagnosis } from 'drivebay/plugin';
import { fieldsOf, textOf } from '../_shared/fields';
import { ReadFile } from '../_shared/cli/file-version';
import type { Cli } from './cli';
import type { Options } from './environment';
import { ownFile, parseSettings } from './own-folder';

/** The program pays with a key that it finds by itself. */
const OWN_KEY = 'api-key (settings of the CLI)';
const LOGINS = ['oauth-personal', 'qwen-oauth'];
/** Variables that choose a service without a setting. */
const CHOOSING = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'];

const settings = { gemini: new ReadFile(selectedType), qwen: new ReadFile(selectedType) };

/** Which purse pays: `subscription`, `api-key (WHERE)`, `account (WHICH)`, or `unknown`. */
export function billing({ api_key_env: keyName }: Options, dialect: Cli['dialect']): string {
  if (keyName) return `api-key (${keyName})`;
  const type = settings[dialect].get(ownFile(dialect, 'settings.json'));
  if (type === undefined) return 'unknown';
  if (LOGINS.includes(type)) return 'subscription';
  return /api-key|openai/.test(type) ? OWN_KEY : `account (${type})`;
}

function selectedType(text: string): string | undefined {
  const { security } = fieldsOf(parseSettings(text));
  return textOf(fieldsOf(fieldsOf(security).auth).selectedType);
}

/** Whether there is a login. It is read from the files of the program, which itself would take seconds. */
export async function loginFinding(options: Options, { dialect, path }: Cli): Promise<Diagnosis> {
  const purse = billing(options, dialect);
  const name = basename(path);
  if (purse === 'unknown' && !CHOOSING.some((variable) => process.env[variable])) {
    return {
      topic: 'login',
      severity: 'warning',
      message: `no way to log in is chosen in ~/.${dialect}/settings.json`,
      fix: `run ${name} once in a terminal and log in; or set api_key_env`,
    };
  }
  if (purse === 'subscription' && !existsSync(ownFile(dialect, 'oauth_creds.json'))) {
    // The login may be in the keychain of the system.
    return {
      topic: 'login',
      severity: 'note',
      message: `a login is chosen (${purse}), and its file is not there`,
      fix: `if chats fail with login_required, run ${name} once in a terminal and log in`,
    };
  }
  if (purse === OWN_KEY && !(await hasOwnKey(dialect))) {
    const variable = dialect === 'qwen' ? 'OPENAI_API_KEY' : 'GEMINI_API_KEY';
    return {
      topic: 'login',
      severity: 'warning',
      message: `an API key is chosen in ~/.${dialect}/settings.json, and a key in the environment is not given to the program`,
      fix: `set api_key_env: ${variable}, unless the program has stored the key itself`,
    };
  }
  return { topic: 'login', severity: 'ok', message: purse === 'unknown' ? 'chosen by a variable' : `by ${purse}` };
}

/** Whether a key stands in a file that the program reads by itself. */
async function hasOwnKey(dialect: Cli['dialect']): Promise<boolean> {
  const files = [ownFile(dialect, '.env'), ownFile(dialect, '../.env'), ownFile(dialect, 'settings.json')];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.some((text) => /^\s*(?:export\s+)?(?:GEMINI|GOOGLE|OPENAI)_API_KEY\s*=|"apiKey"\s*:/m.test(text));
}
