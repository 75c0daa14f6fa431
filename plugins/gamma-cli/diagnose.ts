import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { versionFinding } from '../_shared/cli/program-version';
import { unusedKeys } from '../_shared/cli/unused-keys';
import { billing } from './billing';
import type { Cli } from './cli';
import { environment } from './environment';
import type { Options } from './options';

/** A service that the environment chooses, without a setting. */
const CHOSEN_BY_VARIABLE = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'];

/** What is known of the program without a model. Its login is read from its files: to ask it takes seconds. */
export async function* diagnose(
  context: DriverContext<Options>,
  cli: Cli,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { path, dialect } = cli;
  const { api_key_env: keyName } = context.options;
  if (keyName) yield { topic: 'billing', severity: 'ok', message: `pays with the key in ${keyName}` };
  else yield await login(context.options, cli);
  const keys = dialect === 'qwen' ? ['OPENAI_API_KEY'] : ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];
  if (!keyName) yield* unusedKeys(keys, undefined);
  if (keyName && context.apiKey() === undefined) return;
  const env = environment(context, cli, undefined);
  yield versionFinding(path, await askProgram(context, path, ['--version'], { env, signal }));
}

async function login(options: Options, cli: Cli): Promise<Diagnosis> {
  const { dialect, path } = cli;
  const purse = await billing(options, cli);
  const name = basename(path);
  if (purse === 'unknown' && !CHOSEN_BY_VARIABLE.some((variable) => process.env[variable])) {
    return {
      topic: 'login',
      severity: 'warning',
      message: `no way to log in is chosen in ~/.${dialect}/settings.json`,
      fix: `run ${name} once in a terminal and log in; or set api_key_env`,
    };
  }
  const home = (dialect === 'gemini' && process.env.GEMINI_CLI_HOME) || homedir();
  if (purse === 'subscription' && !(await exists(join(home, `.${dialect}`, 'oauth_creds.json')))) {
    // It may be in the keychain of the system.
    return {
      topic: 'login',
      severity: 'note',
      message: `a login is chosen (${purse}), and its file is not there`,
      fix: `if chats fail with login_required, run ${name} once in a terminal and log in`,
    };
  }
  return { topic: 'login', severity: 'ok', message: purse === 'unknown' ? 'chosen by a variable' : `by ${purse}` };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
