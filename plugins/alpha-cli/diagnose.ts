import { basename } from 'node:path';
import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram } from '../_shared/cli/ask-program';
import { isFields } from '../_shared/fields';
import { versionFinding } from '../_shared/cli/program-version';
import { unusedKeys } from '../_shared/cli/unused-keys';
import { resolveBinary } from './binary';
import { childEnvironment } from './environment';
import type { Options } from './options';

/** What the program says of itself, without a model. */
export async function* diagnose(
  context: DriverContext<Options>,
  { signal }: Call,
): AsyncGenerator<Diagnosis, void, undefined> {
  const { api_key_env: keyName, permission_mode: permissionMode } = context.options;
  const path = await resolveBinary(context);
  const value = context.apiKey();
  const key = keyName && value !== undefined ? { name: keyName, value } : undefined;
  const ask = (...args: string[]) =>
    askProgram(context, path, args, { env: childEnvironment({ key }).env ?? {}, signal });
  yield versionFinding(path, await ask('--version'));
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  if (help && /^\s+auth\b/m.test(help.output)) yield* login(path, (await ask('auth', 'status'))?.output);
  yield* unusedKeys(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'], keyName);
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
  const name = basename(path);
  if (!status.loggedIn) {
    yield {
      ...{ topic: 'login', severity: 'broken', message: `${name} is not logged in` },
      fix: `run: ${name} auth login; or set api_key_env`,
    };
    return;
  }
  const how = [status.authMethod, status.subscriptionType].filter((text) => typeof text === 'string').join(', ');
  const source = typeof status.apiKeySource === 'string' ? `, key from ${status.apiKeySource}` : '';
  yield { topic: 'login', severity: 'ok', message: `logged in${how === '' ? '' : ` (${how}${source})`}` };
}

/** Lines of warnings may stand before and behind it. */
function parse(output: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
