import { basename } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram, type ProgramAnswer } from '../_shared/cli/ask-program';
import { notLoggedIn, unusedKeys, versionFinding } from '../_shared/cli/findings';
import { fieldsOf, textOf, type Fields } from '../_shared/fields';
import { childEnvironment, KEYS } from './environment';
import type { Options } from './options';
import { resolveBinary } from './program';

/** What the program says of itself, without a model. */
export async function* diagnose(
  context: DriverContext<Options>,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName, permission_mode: permissionMode } = context.options;
  const path = await resolveBinary(context);
  const value = context.apiKey();
  const key = keyName && value !== undefined ? { name: keyName, value } : undefined;
  const ask = (...args: string[]): Promise<ProgramAnswer | undefined> =>
    askProgram(context, path, args, signal, childEnvironment({ key }).env).catch(() => undefined);
  yield versionFinding(path, await ask('--version'));
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  if (help && /^\s+auth\b/m.test(help.output)) yield* login(path, (await ask('auth', 'status'))?.output);
  yield* unusedKeys(KEYS, keyName);
  if (permissionMode === 'bypassPermissions') {
    yield {
      topic: 'permission',
      severity: 'note',
      message: 'its tools act without asking, with all your rights (permission_mode bypassPermissions)',
      fix: 'for less: permission_mode: acceptEdits, or plan',
    };
  }
}

function* login(path: string, output = ''): Generator<Diagnosis, void, undefined> {
  const status = parse(output);
  if (typeof status.loggedIn !== 'boolean') return;
  if (!status.loggedIn) {
    const name = basename(path);
    yield notLoggedIn(name, `${name} auth login`);
    return;
  }
  const how = [status.authMethod, status.subscriptionType].flatMap((text) => textOf(text) ?? []).join(', ');
  const source = textOf(status.apiKeySource);
  const from = source === undefined ? '' : `, key from ${source}`;
  yield { topic: 'login', severity: 'ok', message: `logged in${how === '' ? '' : ` (${how}${from})`}` };
}

/** Lines of warnings may stand before and behind the object. */
function parse(output: string): Fields {
  try {
    return fieldsOf(JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)));
  } catch {
    return {};
  }
}
