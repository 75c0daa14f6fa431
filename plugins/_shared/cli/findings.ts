import { basename } from 'node:path';
import type { Diagnosis } from 'drivebay/plugin';
import type { ProgramAnswer } from './ask-program';

/** A version in whatever a program says to `--version`. */
const VERSION = /\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?/;

/** The finding about the version of a program. */
export function versionFinding(path: string, answer: ProgramAnswer | undefined): Diagnosis {
  const version = answer?.code === 0 ? VERSION.exec(answer.output)?.[0] : undefined;
  if (version !== undefined) {
    return { topic: 'version', severity: 'ok', message: `${basename(path)} ${version} (${path})` };
  }
  const why = answer ? `ends with exit code ${answer.code ?? 'of a signal'}, without a version` : 'does not answer';
  return {
    topic: 'version',
    severity: 'warning',
    message: `${path} --version ${why}`,
    fix: `run it by hand: ${path} --version`,
  };
}

export function paidByKey(keyName: string): Diagnosis {
  return { topic: 'billing', severity: 'ok', message: `pays with the key in ${keyName}` };
}

export function notLoggedIn(name: string, login: string): Diagnosis {
  return {
    topic: 'login',
    severity: 'broken',
    message: `${name} is not logged in`,
    fix: `run: ${login}; or set api_key_env`,
  };
}

/** Names the keys in the environment that the program does not get: its login pays although a key is set. */
export function unusedKeys(variables: readonly string[], used?: string): Diagnosis[] {
  return variables
    .filter((name) => name !== used && process.env[name]?.trim())
    .map((name) => ({
      topic: 'billing',
      severity: 'note',
      message: `${name} is set, and not given to the program: its login pays`,
      fix: `to pay with the key: api_key_env: ${name}`,
    }));
}
