import type { Call, Diagnosis, DriverContext } from 'drivebay/plugin';
import { type Ask, type Findings, notLoggedIn, programFindings } from '../_shared/cli/findings';
import { KEYS, modelProvider } from './billing';
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
  const own = await modelProvider();
  if (own) {
    yield explainModelProvider(own);
    return;
  }
  const { output = '' } = (await ask('login', 'status')) ?? {};
  // The rest of the line may hold a part of the key.
  const how = /Logged in using ([\w ]+)/i.exec(output)?.[1]?.trim();
  if (/not logged in/i.test(output)) yield notLoggedIn('codex', 'codex login');
  else if (how !== undefined) yield { topic: 'login', severity: 'ok', message: `logged in using ${how}` };
}

/** A model provider of the user's own configuration wants its key, and no login. */
function explainModelProvider({ name, keyName }: { name: string; keyName?: string }): Diagnosis {
  const chosen = `the configuration of codex chooses model provider "${name}"`;
  if (keyName !== undefined && KEYS.includes(keyName)) {
    const message = `${chosen}, whose key ${keyName} reaches it only where the provider names it`;
    return { topic: 'login', severity: 'broken', message, fix: `set api_key_env: ${keyName}` };
  }
  if (keyName !== undefined && !process.env[keyName]) {
    const fix = `export ${keyName}=... before drivebay starts`;
    return { topic: 'login', severity: 'broken', message: `${chosen}, and ${keyName} is not set`, fix };
  }
  const key = keyName === undefined ? '' : `, with the key in ${keyName}`;
  return { topic: 'login', severity: 'ok', message: chosen + key };
}
