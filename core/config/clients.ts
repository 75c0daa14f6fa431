import type { Position, Problem } from '../errors';
import { clientSchema } from './client-schema';
import { explainDuplicate } from './config-file';
import { describeFound, YAML_WORDS } from './describe-found';
import { suggestTarget } from './did-you-mean';
import type { LimitFields } from './limit-fields';
import { type Located, nodeAt, placeOf } from './located';
import { validate } from './problems';

/** An entry of `clients` without mistakes. It has either `keyVariable` or `keyDigest`. */
export interface ClientEntry {
  name: string;
  /** The NAME of the variable with its key. */
  keyVariable?: string;
  /** The SHA-256 of its key, in hex. */
  keyDigest?: string;
  /** Names of providers and routes, or PROVIDER:MODEL; absent: everything. */
  allow?: readonly string[];
  maxConcurrency?: number;
  limits: LimitFields;
  place: Position;
}

interface Checked {
  clients: ClientEntry[];
  problems: Problem[];
  warnings: Problem[];
}

const NO_KEY_HINT =
  'add a line: api_key_env: NAME_OF_A_VARIABLE; or take the entry out and run: drivebay clients new NAME';

/**
 * Checks the list of a file. `devices` are the names of providers and routes: one that is missing there is only warned of,
 * because the project of another folder may have it.
 */
export function checkClients(list: Located | undefined, devices: readonly string[]): Checked {
  const checked: Checked = { clients: [], problems: [], warnings: [] };
  const names = new Map<string, Position>();
  const keys = new Map<string, string>();
  for (const [index, fields] of (list?.kind === 'list' ? list.items : []).entries()) {
    const path = `clients[${index}]`;
    const { value, problems, warnings } = validate(clientSchema, fields, path);
    checked.problems.push(...problems);
    checked.warnings.push(...warnings);
    if (!value) continue;
    const { name, api_key_env: keyVariable, key_sha256, allow, max_concurrency: maxConcurrency, ...limits } = value;
    const keyDigest = key_sha256?.toLowerCase();
    const place = placeOf(fields, ['name']);
    const first = names.get(name);
    if (first) checked.problems.push(explainDuplicate(fields, path, name, first));
    else names.set(name, place);
    checked.problems.push(...keyProblems(fields, path, keyVariable, keyDigest));
    const key = keyDigest ?? keyVariable ?? '';
    const owner = keys.get(key);
    if (owner !== undefined) checked.problems.push(explainSharedKey(fields, path, keyDigest, owner));
    else if (key !== '') keys.set(key, name);
    for (const [at, wanted] of (allow ?? []).entries()) {
      if (!isKnown(wanted, devices))
        checked.warnings.push(explainUnknown(fields, `${path}.allow`, at, wanted, devices));
    }
    checked.clients.push({ name, keyVariable, keyDigest, allow, maxConcurrency, limits, place });
  }
  return checked;
}

function keyProblems(fields: Located, path: string, variable: string | undefined, digest: string | undefined) {
  if ((variable === undefined) !== (digest === undefined)) return [];
  const { place } = fields;
  const problem: Problem =
    variable === undefined
      ? { message: `${path}: found no key, expected api_key_env or key_sha256`, place, hint: NO_KEY_HINT }
      : { message: `${path}: found api_key_env and key_sha256, expected one of them`, place };
  return [problem];
}

function explainSharedKey(fields: Located, path: string, digest: string | undefined, owner: string): Problem {
  const field = digest === undefined ? 'api_key_env' : 'key_sha256';
  const message = `${path}.${field}: found the key of client "${owner}", expected one of its own`;
  return { message, place: placeOf(fields, [field]) };
}

/** The name of a device may hold a colon itself: the name of a route may be a pattern. */
function isKnown(wanted: string, devices: readonly string[]): boolean {
  return devices.includes(wanted) || devices.includes(wanted.split(':', 1)[0]!);
}

function explainUnknown(fields: Located, path: string, at: number, wanted: string, devices: readonly string[]) {
  const message = `${path}[${at}]: found ${describeFound(wanted, YAML_WORDS)}, which is neither a provider nor a route here`;
  const place = nodeAt(fields, ['allow', at])?.place ?? fields.place;
  return { message, place, hint: suggestTarget(wanted, devices) } satisfies Problem;
}
