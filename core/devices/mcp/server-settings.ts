import { resolve } from 'node:path';
import { keysIn } from '../../config/addresses';
import type { Environment } from '../../config/environment';
import { fillVariables, keyNamesOf, variablesIn } from '../../config/mcp/fill-variables';
import { isHttp, type ServerEntry } from '../../config/mcp/mcp-file';
import type { Redactor } from '../../contract/redact';
import { isCredentialField } from '../../contract/secrets';
import { HintedError } from '../../errors';
import { expandHome } from '../../paths';

/** An entry with its variables replaced, at the time of its use. */
export type ServerSettings =
  | { kind: 'program'; command: string; args: string[]; env: Record<string, string>; cwd: string }
  | { kind: 'address'; url: URL; headers: Record<string, string>; type: 'http' | 'sse' | undefined };

interface Surroundings {
  environment: Environment;
  redactor: Redactor;
  /** Where a program runs that names no folder. */
  folder: string;
}

/**
 * Replaces the variables of an entry. Variables that choose a program or an address come from the environment alone: the user has
 * trusted mcp.json, and not the .env files of the project. Keys of a project's entry may come from them, like keys of providers.
 */
export function serverSettingsOf(
  { name, values, place, isOfProject }: ServerEntry,
  surroundings: Surroundings,
): ServerSettings {
  const { environment, redactor, folder } = surroundings;
  const missing: string[] = [];
  const missingKeys: string[] = [];
  const own = (variable: string) => environment.process[variable] || undefined;
  const key = (variable: string) => (isOfProject ? environment.get(variable)?.value : own(variable));
  const fill = (text: string) => fillVariables(text, own, missing);
  const fillKeys = (texts: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(texts).map(([field, text]) => {
        const value = fillVariables(text, key, missingKeys);
        if ([field, ...variablesIn(text)].some(isCredentialField)) noteSecret(redactor, value);
        return [field, value];
      }),
    );
  const expand = (path: string) => expandHome(path, environment.process);
  const { command, args = [], url = '', type } = values;
  let settings: ServerSettings | undefined;
  if (command === undefined) {
    const [address, headers] = [fill(url), fillKeys(values.headers)];
    for (const secret of keysIn(address)) redactor.add(secret);
    const isComplete = missing.length + missingKeys.length === 0;
    if (isComplete && !isHttp(address)) {
      throw new HintedError(`the url of tool server "${name}" is not an http(s) URL`, `correct it in ${place.file}`);
    }
    if (isComplete) {
      settings = {
        kind: 'address',
        url: new URL(address),
        headers,
        type: type === undefined ? type : type === 'sse' ? 'sse' : 'http',
      };
    }
  } else {
    const cwd = resolve(folder, expand(fill(values.cwd ?? '.')));
    const program = expand(fill(command));
    settings = {
      kind: 'program',
      command: program.includes('/') ? resolve(cwd, program) : program,
      args: args.map(fill),
      env: fillKeys(values.env),
      cwd,
    };
  }
  const names = [...new Set([...missing, ...missingKeys])];
  const [first] = names;
  if (first === undefined) return settings!;
  const inFiles = isOfProject && !missing.includes(first);
  const hint = environment.howToSet(first, { inFiles, isBrought: keyNamesOf([{ values }]).includes(first) });
  throw new HintedError(`the tool server "${name}" needs ${names.join(', ')}, which is not set`, hint);
}

/** Also what stands behind a word such as `Bearer`. */
function noteSecret(redactor: Redactor, value: string): void {
  redactor.add(value);
  const last = value.split(' ').at(-1);
  if (last !== undefined) redactor.add(last);
}
