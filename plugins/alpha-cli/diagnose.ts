import { basename } from 'node:path';
import type { Call, DriverContext } from 'drivebay/plugin';
import { type Ask, type Findings, notLoggedIn, programFindings } from '../_shared/cli/findings';
import { fieldsIn, textOf } from '../_shared/fields';
import { KEYS, type Options } from './environment';

/** What the program says of itself, without a model. */
export async function* diagnose(context: DriverContext<Options>, path: string, { signal }: Call): Findings {
  yield* programFindings(context, { path, signal, keys: KEYS, login });
  if (context.options.permission_mode === 'bypassPermissions') {
    yield {
      topic: 'permission',
      severity: 'note',
      message: 'its tools act without asking, with all your rights (permission_mode bypassPermissions)',
      fix: 'for less: permission_mode: acceptEdits, or plan',
    };
  }
}

async function* login(ask: Ask, path: string): Findings {
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  if (!help || !/^\s+auth\b/m.test(help.output)) return;
  // Lines of warnings may stand before and behind the object.
  const status = fieldsIn((await ask('auth', 'status'))?.output ?? '');
  if (status.loggedIn === false) yield notLoggedIn(basename(path), `${basename(path)} auth login`);
  if (status.loggedIn !== true) return;
  const how = [status.authMethod, status.subscriptionType].flatMap((text) => textOf(text) ?? []).join(', ');
  const source = textOf(status.apiKeySource);
  const from = source === undefined ? '' : `, key from ${source}`;
  yield { topic: 'login', severity: 'ok', message: `logged in${how === '' ? '' : ` (${how}${from})`}` };
}
