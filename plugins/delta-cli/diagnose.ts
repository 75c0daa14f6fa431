import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram, type ProgramAnswer } from '../_shared/cli/ask-program';
import { notLoggedIn, paidByKey, unusedKeys, versionFinding } from '../_shared/cli/findings';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import { KEYS } from './environment';
import { type Options, sandboxMode } from './options';

/** What the program says of itself, without a model. */
export async function* diagnose(
  context: DriverContext<Options>,
  path: string,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName } = context.options;
  const ask = (...args: string[]): Promise<ProgramAnswer | undefined> =>
    askProgram(context, path, args, signal, plainEnvironment(KEYS)).catch(() => undefined);
  yield versionFinding(path, await ask('--version'));
  if (keyName) {
    yield paidByKey(keyName);
  } else {
    yield* login((await ask('login', 'status'))?.output ?? '');
    yield* unusedKeys(KEYS);
  }
  yield sandbox(sandboxMode(context.options));
}

function* login(output: string): Generator<Diagnosis, void, undefined> {
  if (/not logged in/i.test(output)) {
    yield notLoggedIn('codex', 'codex login');
    return;
  }
  // The rest of the line may hold a part of the key.
  const how = /Logged in using ([\w ]+)/i.exec(output)?.[1]?.trim();
  if (how !== undefined) yield { topic: 'login', severity: 'ok', message: `logged in using ${how}` };
}

function sandbox(mode: string): Diagnosis {
  if (mode !== 'danger-full-access') return { topic: 'sandbox', severity: 'ok', message: `commands run in ${mode}` };
  return {
    topic: 'sandbox',
    severity: 'warning',
    message: 'commands of the model run without a sandbox, with all your rights (sandbox_mode danger-full-access)',
    fix: 'unless that is wanted: sandbox_mode: workspace-write',
  };
}
