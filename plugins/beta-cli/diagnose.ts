import { basename } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import { versionFinding } from '../_shared/cli/program-version';
import { unusedKeys } from '../_shared/cli/unused-keys';
import type { Options } from './options';

/** What the program says of itself, without a model. `path` is known to be the right one. */
export async function* diagnose(
  context: DriverContext<Options>,
  path: string,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName } = context.options;
  const ask = (...args: string[]) => askProgram(context, path, args, { env: plainEnvironment(), signal });
  yield versionFinding(path, await ask('--version'));
  if (keyName) {
    yield { topic: 'billing', severity: 'ok', message: `pays with the key in ${keyName}` };
    return;
  }
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  const status = help && /^\s+status\b/m.test(help.output) ? await ask('status') : undefined;
  if (status) yield* login(path, status.output);
  yield* unusedKeys(['CURSOR_API_KEY', 'CURSOR_AUTH_TOKEN'], undefined);
}

function* login(path: string, output: string): Generator<Diagnosis, void, undefined> {
  const name = basename(path);
  if (/not logged in|not authenticated|authentication required/i.test(output)) {
    yield {
      ...{ topic: 'login', severity: 'broken', message: `${name} is not logged in` },
      fix: `run: ${name} login; or set api_key_env`,
    };
  } else if (/logged in/i.test(output)) {
    // Not who: the output of doctor is shown to others.
    yield { topic: 'login', severity: 'ok', message: 'logged in' };
  }
}
