import { basename } from 'node:path';
import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { Identities } from './identity';
import type { Options } from './options';

const NAME = 'agent';
/** What the program was called before, and still is called as well. It needs no proof. */
const FORMER_NAME = 'cursor-agent';
const HINT = "run: curl https://cursor.com/install -fsS | bash && agent login; or set command to the program's path";

/**
 * The path of the program. Other programs are called `agent`, too: one that says that it is something else is passed over.
 * What `command` names is taken or refused, never replaced; a path, or another name, needs no proof.
 */
export async function findBinary(context: DriverContext<Options>, identities: Identities): Promise<string> {
  const { command } = context.options;
  if (command !== undefined) {
    const path = await resolve(context, command);
    if (command === NAME) await prove(context, path, identities);
    return path;
  }
  const path = await resolve(context, [NAME, FORMER_NAME]);
  if (basename(path) === FORMER_NAME) return path;
  const doubt = await prove(context, path, identities).catch((error: DriverFailure) => error);
  if (doubt === 'cursor') return path;
  try {
    return await resolve(context, FORMER_NAME);
  } catch {
    if (doubt === 'silent') return path;
    throw doubt;
  }
}

/** Throws when the program says that it is something else, or says nothing because it does not run. */
async function prove(
  { error }: DriverContext<Options>,
  path: string,
  identities: Identities,
): Promise<'cursor' | 'silent'> {
  const identity = await identities.ask(path);
  if (identity.type !== 'other') return identity.type;
  throw error('not_installed', `${path} is not the Cursor CLI (it says: ${identity.says})`, {
    kind: 'binary_missing',
    hint: HINT,
  });
}

async function resolve(context: DriverContext<Options>, names: string | string[]): Promise<string> {
  try {
    // The CLI's own installer puts it into ~/.local/bin.
    return await context.resolveBinary(names, { userFolders: true });
  } catch (error) {
    const { code, kind, message } = error as DriverFailure;
    if (kind !== 'binary_missing') throw error;
    throw context.error(code, message, { kind, hint: HINT, cause: error });
  }
}
