import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/environment';
import type { HttpPool } from '../http/http-pool';
import type { Redactor } from '../contract/redact';
import { ProgramFinder } from '../subprocess/find-program';
import type { Programs } from '../subprocess/programs';
import type { DriverContext, Logger } from '../contract/api';
import { DriverError, makeDriverError } from '../contract/driver-error';
import { ignoredFields } from './ignored-fields';
import { layoutPrompt } from './layout-prompt';
import { safeArgument } from './safe-argument';

export interface ContextParts {
  provider: string;
  driver: string;
  options: Record<string, unknown>;
  environment: Environment;
  redactor: Redactor;
  log: Logger;
  http: HttpPool;
  programs: Programs;
  /** Holds one private folder per provider. */
  cacheDirectory: string;
}

/** Between the first signal and the last one, where the provider does not say. */
const GRACE_SEC = 20;

/** Builds what a driver receives. Keys are read at each use and become known to the redactor before anyone has them. */
export function createContext(parts: ContextParts): DriverContext {
  const { provider, driver, environment } = parts;
  const finder = new ProgramFinder();
  const options = Object.freeze({ ...parts.options });
  const keyName = typeof options.api_key_env === 'string' && options.api_key_env ? options.api_key_env : undefined;

  function apiKey(): string | undefined {
    const found = keyName === undefined ? undefined : environment.get(keyName);
    if (found) parts.redactor.add(found.value);
    return found?.value;
  }

  function requireApiKey(): string {
    const key = apiKey();
    if (key !== undefined) return key;
    if (keyName === undefined) {
      throw new DriverError('auth', 'no API key: the provider names no api_key_env', {
        kind: 'missing_key',
        hint: `add api_key_env to provider "${provider}" in providers.yaml`,
      });
    }
    throw new DriverError(
      'auth',
      `no API key: ${keyName} is not set (looked in ${environment.searched().join(', ')})`,
      {
        kind: 'missing_key',
        hint: `run: export ${keyName}=... and start drivebay again, or add it to the project's .env.local`,
      },
    );
  }

  async function scratch(): Promise<string> {
    const folder = join(parts.cacheDirectory, 'providers', provider);
    // Asked for by each run of a program, and nearly always there.
    if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  const graceSec = typeof options.grace_sec === 'number' && options.grace_sec > 0 ? options.grace_sec : GRACE_SEC;

  return {
    provider,
    driver,
    options,
    log: parts.log,
    apiKey,
    requireApiKey,
    error: makeDriverError,
    http: parts.http,
    resolveBinary(names, resolveOptions = {}) {
      const wanted = typeof names === 'string' ? [names] : names;
      return finder.find({ names: wanted, ...resolveOptions, environment: environment.process });
    },
    async spawn(command, args, spawnOptions = {}) {
      const { cwd = await scratch(), graceMs = graceSec * 1000 } = spawnOptions;
      // It is in the program's environment, and may be in what the program says.
      apiKey();
      return parts.programs.spawn(command, args, { ...spawnOptions, cwd, graceMs });
    },
    scratch,
    layoutPrompt,
    argument: safeArgument,
    ignoredFields,
  };
}
