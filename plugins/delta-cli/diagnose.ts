import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import { versionFinding } from '../_shared/cli/program-version';
import { unusedKeys } from '../_shared/cli/unused-keys';
import { type Options, sandboxMode } from './options';

/** What the program says of itself, without a model. */
export async function* diagnose(
  context: DriverContext<Options>,
  path: string,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName } = context.options;
  const env = { ...plainEnvironment(), CODEX_API_KEY: undefined, OPENAI_API_KEY: undefined };
  const ask = (...args: string[]) => askProgram(context, path, args, { env, signal });
  yield versionFinding(path, await ask('--version'));
  if (keyName) {
    yield { topic: 'billing', severity: 'ok', message: `pays with the key in ${keyName}` };
  } else {
    yield* login((await ask('login', 'status'))?.output ?? '');
    yield* unusedKeys(['CODEX_API_KEY', 'OPENAI_API_KEY'], undefined);
  }
  yield sandbox(sandboxMode(context.options));
}

function* login(output: string): Generator<Diagnosis, void, undefined> {
  if (/not logged in/i.test(output)) {
    yield {
      ...{ topic: 'login', severity: 'broken', message: 'codex is not logged in' },
      fix: 'run: codex login; or set api_key_env',
    };
    return;
  }
  const how = /Logged in using ([\w ]+)/i.exec(output)?.[1]?.trim();
  // The rest of the line may hold a part of the key.
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
