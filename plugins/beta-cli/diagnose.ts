import { basename } from 'node:path';
import type { Diagnosis } from 'drivebay/plugin';
import { type Ask, notLoggedIn } from '../_shared/cli/findings';

/** Whether the program is logged in, as it says itself. */
export async function* loginFinding(ask: Ask, path: string): AsyncGenerator<Diagnosis, void, undefined> {
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  if (!help || !/^\s+status\b/m.test(help.output)) return;
  const { output = '' } = (await ask('status')) ?? {};
  const name = basename(path);
  if (/not logged in|not authenticated|authentication required/i.test(output)) {
    yield notLoggedIn(name, `${name} login`);
  } else if (/logged in/i.test(output)) {
    // The output of doctor is shown to others: the account is not named.
    yield { topic: 'login', severity: 'ok', message: 'logged in' };
  }
}
