import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/environment';
import type { ChatRequest, DriverContext } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import type { Redactor } from '../contract/redact';
import { messageOf } from '../errors';
import { makeFolder } from '../make-folder';
import { howToMove } from '../paths';
import { ProgramFinder } from '../subprocess/find-program';
import type { Programs } from '../subprocess/programs';
import { checkedError } from './checked-error';
import type { ProviderKept } from './kept-table';
import { layoutPrompt } from './layout-prompt';

interface ContextParts extends Pick<DriverContext, 'provider' | 'driver' | 'options' | 'log' | 'http'> {
  environment: Environment;
  redactor: Redactor;
  programs: Programs;
  /** Told the variable of each further key that the driver looks up. */
  noteSecret?: (variable: string) => void;
  /** Counts what the driver keeps. */
  kept: ProviderKept;
  /** Holds one private folder per provider. */
  cacheDirectory: string;
}

/** From the first signal to the last one, where the provider does not say. */
const GRACE_SEC = 20;

/** Builds the context of a driver. A key is read at each use, and the redactor learns it before the driver has it. */
export function createContext(parts: ContextParts): DriverContext {
  const { provider, driver, log, http, environment } = parts;
  const finder = new ProgramFinder();
  const options = Object.freeze({ ...parts.options });
  const keyName = typeof options.api_key_env === 'string' && options.api_key_env ? options.api_key_env : undefined;

  function secret(variable: string): string | undefined {
    parts.noteSecret?.(variable);
    const found = environment.get(variable);
    if (found) parts.redactor.add(found.value);
    return found?.value;
  }

  function apiKey(): string | undefined {
    return keyName === undefined ? undefined : secret(keyName);
  }

  function requireApiKey(): string {
    const key = apiKey();
    if (key !== undefined) return key;
    const [why, hint] =
      keyName === undefined
        ? ['the provider names no api_key_env', `add api_key_env to provider "${provider}" in providers.yaml`]
        : [`${keyName} is not set (looked in ${environment.searched().join(', ')})`, environment.howToSet(keyName)];
    throw new DriverError('auth', `no API key: ${why}`, { kind: 'missing_key', hint });
  }

  function scratchFolder(): string {
    const folder = join(parts.cacheDirectory, 'providers', provider);
    // Each run of a program asks for the folder, and it nearly always exists.
    if (existsSync(folder)) return folder;
    try {
      makeFolder(folder);
    } catch (cause) {
      const message = `the cache folder ${parts.cacheDirectory} cannot be used: ${messageOf(cause)}`;
      throw new DriverError('rejected', message, { kind: 'working_directory', hint: howToMove('cache'), cause });
    }
    return folder;
  }
  const scratch = () => Promise.resolve().then(scratchFolder);

  const graceSec = typeof options.grace_sec === 'number' && options.grace_sec > 0 ? options.grace_sec : GRACE_SEC;

  return {
    provider,
    driver,
    options,
    log,
    apiKey,
    requireApiKey,
    secret,
    hide(text: unknown) {
      if (typeof text !== 'string') {
        const found = text === null ? 'null' : typeof text;
        throw new TypeError(`context.hide takes the secret as a text, found ${found}`);
      }
      parts.redactor.add(text, true);
      return text;
    },
    redact: (text) => parts.redactor.redact(text),
    error: checkedError(parts),
    http,
    resolveBinary(names, resolveOptions) {
      const wanted = typeof names === 'string' ? [names] : names;
      const { process, daemon } = environment;
      return finder.find({ names: wanted, ...resolveOptions, environment: process, daemon });
    },
    async spawn(command, args, spawnOptions = {}) {
      const { cwd = await scratch(), graceMs = graceSec * 1000 } = spawnOptions;
      // The redactor must know the key: the program has it in its environment, and may print it.
      apiKey();
      return parts.programs.spawn(command, args, { ...spawnOptions, cwd, graceMs });
    },
    keep(keepOptions) {
      if (keepOptions.pid !== undefined) parts.programs.leaveCall(keepOptions.pid);
      return parts.kept.keep(keepOptions);
    },
    scratch,
    layoutPrompt,
    argument: safeArgument,
    ignoredFields,
  };
}

/** What Linux takes as one argument, with its final NUL. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/** `context.argument` of the contract. */
function safeArgument(value: string, param: string): string {
  const fault = faultOf(value);
  if (fault === undefined) return value;
  throw new DriverError('invalid_request', `${param} ${fault}: it cannot be given to a program`, { param });
}

function faultOf(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value.startsWith('-')) return 'starts with "-"';
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'holds a control character';
  return Buffer.byteLength(value) > MAX_ARGUMENT_BYTES ? 'is too long' : undefined;
}

/** `context.ignoredFields` of the contract. */
function ignoredFields(request: ChatRequest, honoured: readonly string[] = []): string[] {
  const { temperature, topP, stop, maxTokens, responseFormat, extra } = request;
  const named = {
    temperature,
    top_p: topP,
    stop,
    max_tokens: maxTokens,
    response_format: responseFormat?.type === 'text' ? undefined : responseFormat,
  };
  const sent = Object.entries(named).filter(([, value]) => value !== undefined);
  // The gateway itself has acted on `stream_options`.
  const acted = new Set(['stream_options', ...honoured]);
  return [...sent.map(([name]) => name), ...Object.keys(extra)].filter((name) => !acted.has(name));
}
