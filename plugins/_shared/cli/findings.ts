import { basename } from 'node:path';
import type { Diagnosis, DriverContext } from 'drivebay/plugin';
import { askProgram, type ProgramAnswer } from './ask-program';
import type { CliOptions } from './cli-run';
import { plainEnvironment, type Changes } from './plain-environment';

/** A version in whatever a program says to `--version`. */
const VERSION = /\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?/;

/** Asks the program. Undefined when it does not answer. */
export type Ask = (...args: string[]) => Promise<ProgramAnswer | undefined>;

export type Findings = AsyncGenerator<Diagnosis, void, undefined>;

interface Examined {
  path: string;
  signal: AbortSignal;
  /** Variables with keys that the program gets only where the provider names them. */
  keys: readonly string[];
  env?: Readonly<Changes>;
  login: (ask: Ask, path: string) => AsyncIterable<Diagnosis>;
}

/** What a program says of itself, without a model: its version, and who pays. With a key, the login does not matter. */
export async function* programFindings(
  context: DriverContext<CliOptions>,
  { path, signal, keys, env = plainEnvironment(keys), login }: Examined,
): Findings {
  const ask: Ask = (...args) => askProgram(context, path, args, signal, env).catch(() => undefined);
  const { api_key_env: keyName } = context.options;
  yield versionFinding(path, await ask('--version'));
  if (keyName) {
    yield { topic: 'billing', severity: 'ok', message: `pays with the key in ${keyName}` };
    return;
  }
  yield* login(ask, path);
  for (const name of keys.filter((variable) => process.env[variable]?.trim())) {
    yield {
      topic: 'billing',
      severity: 'note',
      message: `${name} is set, and not given to the program`,
      fix: `to pay with the key: api_key_env: ${name}`,
    };
  }
}

export function notLoggedIn(name: string, login: string): Diagnosis {
  return {
    topic: 'login',
    severity: 'broken',
    message: `${name} is not logged in`,
    fix: `run: ${login}; or set api_key_env`,
  };
}

function versionFinding(path: string, answer: ProgramAnswer | undefined): Diagnosis {
  const version = answer?.code === 0 ? VERSION.exec(answer.output)?.[0] : undefined;
  if (version !== undefined) {
    return { topic: 'version', severity: 'ok', message: `${basename(path)} ${version} (${path})` };
  }
  const end = answer?.code === null ? 'is ended by a signal' : `ends with exit code ${answer?.code}`;
  const why = answer ? `${end}, without a version` : 'does not answer';
  return {
    topic: 'version',
    severity: 'warning',
    message: `${path} --version ${why}`,
    fix: `run it by hand: ${path} --version`,
  };
}

/** The names of subscriptions begin with this. They do not pay by the token. */
export const SUBSCRIPTION = 'subscription';
