import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ResolveOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { userFolders } from './user-folders';

export interface FindProgram extends ResolveOptions {
  names: readonly string[];
  environment: NodeJS.ProcessEnv;
}

const EXTENSIONS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];

/** The absolute path of the first program that is there and may be run. Throws `not_installed`. */
export async function findProgram({
  names,
  directories = [],
  userFolders: takesUserFolders = false,
  environment,
}: FindProgram): Promise<string> {
  const home = environment.HOME || homedir();
  const expand = (path: string) => (path.startsWith('~/') ? join(home, path.slice(2)) : path);
  const onPath = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  const wanted = names.map(expand);
  const bare = wanted.filter((name) => !/[/\\]/.test(name));
  const unusable: string[] = [];
  const first = wanted.flatMap((name) => (bare.includes(name) ? onPath.map((folder) => join(folder, name)) : [name]));
  const usual = await findUsable(first, unusable);
  if (usual !== undefined) return usual;
  const further = [...directories.map(expand), ...(takesUserFolders ? await userFolders(environment, home) : [])];
  const found = await findUsable(
    further.flatMap((folder) => bare.map((name) => join(folder, name))),
    unusable,
  );
  if (found !== undefined) return found;
  const tried = names.join(', ');
  if (unusable.length > 0) {
    throw new DriverError('not_installed', `not executable: ${unusable.join(', ')}`, {
      kind: 'binary_not_executable',
      hint: `run: chmod +x '${unusable[0]}'`,
    });
  }
  const places = [...(bare.length > 0 ? ['on the PATH', ...further] : [])].join(', ');
  throw new DriverError('not_installed', `program not found: ${tried}${places && ` (looked ${places})`}`, {
    kind: 'binary_missing',
    hint: 'install it, or set command to its absolute path',
  });
}

/** The first that may be run; adds what is there and may not be to `unusable`. */
async function findUsable(paths: readonly string[], unusable: string[]): Promise<string | undefined> {
  for (const candidate of paths.flatMap((path) => EXTENSIONS.map((extension) => path + extension))) {
    // A relative path would mean another program in each working directory.
    const found = isAbsolute(candidate) ? await look(candidate) : 'absent';
    if (found === 'usable') return candidate;
    if (found === 'not executable') unusable.push(candidate);
  }
  return undefined;
}

async function look(path: string): Promise<'usable' | 'not executable' | 'absent'> {
  try {
    // A folder may be executable, too, and does not stand in the way of the next place.
    if (!(await stat(path)).isFile()) return 'absent';
  } catch {
    return 'absent';
  }
  try {
    await access(path, constants.X_OK);
    return 'usable';
  } catch {
    return 'not executable';
  }
}
