import { basename } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram, type ProgramAnswer } from '../_shared/cli/ask-program';
import { notLoggedIn, paidByKey, unusedKeys, versionFinding } from '../_shared/cli/findings';
import { KEYS } from './environment';
import type { Options } from './options';

/** What the program says of itself, without a model. `path` is known to be the right one. */
export async function* diagnose(
  context: DriverContext<Options>,
  path: string,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName } = context.options;
  const ask = (...args: string[]): Promise<ProgramAnswer | undefined> =>
    askProgram(context, path, args, signal).catch(() => undefined);
  yield versionFinding(path, await ask('--version'));
  if (keyName) {
    yield paidByKey(keyName);
    return;
  }
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  const { output = '' } = (help && /^\s+status\b/m.test(help.output) ? await ask('status') : undefined) ?? {};
  const name = basename(path);
  if (/not logged in|not authenticated|authentication required/i.test(output)) {
    yield notLoggedIn(name, `${name} login`);
  } else if (/logged in/i.test(output)) {
    // The output of doctor is shown to others: the account is not named.
    yield { topic: 'login', severity: 'ok', message: 'logged in' };
  }
  yield* unusedKeys(KEYS);
}
