import type { Call, DriverContext } from 'drivebay/plugin';
import { type Ask, type Findings, notLoggedIn, programFindings } from '../_shared/cli/findings';
import { KEYS } from './billing';
import { type Options, sandboxMode } from './options';

/** What the program says of itself, without a model. */
export async function* diagnose(context: DriverContext<Options>, path: string, { signal }: Call): Findings {
  yield* programFindings(context, { path, signal, keys: KEYS, login });
  const mode = sandboxMode(context.options);
  if (mode !== 'danger-full-access') {
    yield { topic: 'sandbox', severity: 'ok', message: `commands run in ${mode}` };
    return;
  }
  yield {
    topic: 'sandbox',
    severity: 'warning',
    message: 'commands of the model run without a sandbox, with all your rights (sandbox_mode danger-full-access)',
    fix: 'unless that is wanted: sandbox_mode: workspace-write',
  };
}

async function* login(ask: Ask): Findings {
  const { output = '' } = (await ask('login', 'status')) ?? {};
  // The rest of the line may hold a part of the key.
  const how = /Logged in using ([\w ]+)/i.exec(output)?.[1]?.trim();
  if (/not logged in/i.test(output)) yield notLoggedIn('codex', 'codex login');
  else if (how !== undefined) yield { topic: 'login', severity: 'ok', message: `logged in using ${how}` };
}
