import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { paidByKey, unusedKeys, versionFinding } from '../_shared/cli/findings';
import { billing, ownFile } from './billing';
import type { Cli } from './cli';
import { environment } from './environment';
import type { Options } from './options';

/** Variables that choose a service without a setting. */
const CHOOSING = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'];

/** What is known of the program without a model. The login is read from its files: the program would take seconds. */
export async function* diagnose(
  context: DriverContext<Options>,
  cli: Cli,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { path, dialect } = cli;
  const { api_key_env: keyName } = context.options;
  if (keyName) {
    yield paidByKey(keyName);
    if (context.apiKey() === undefined) return;
  } else {
    yield await login(context.options, cli);
    yield* unusedKeys(dialect === 'qwen' ? ['OPENAI_API_KEY'] : ['GEMINI_API_KEY', 'GOOGLE_API_KEY']);
  }
  const version = askProgram(context, path, ['--version'], signal, environment(context, dialect));
  yield versionFinding(path, await version.catch(() => undefined));
}

async function login(options: Options, { dialect, path }: Cli): Promise<Diagnosis> {
  const purse = await billing(options, dialect);
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
  return { topic: 'login', severity: 'ok', message: purse === 'unknown' ? 'chosen by a variable' : `by ${purse}` };
}
