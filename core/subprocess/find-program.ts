import { accessSync, constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ResolveOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { shownName } from '../contract/secrets';
import { expandHome, homeFolder } from '../paths';
import { userFolders } from './user-folders';

interface FindProgram extends ResolveOptions {
  names: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** The daemon whose PATH this is, and how it gets another one. Absent: it is that of the command itself. */
  daemon?: { name: string; restart: string };
}

const EXTENSIONS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
/** An update may move a program and leave the old one in its place, so it is searched for again after this time. */
const KNOWN_FOR_MS = 10_000;

/** Finds programs, and does not search every folder again for each of many runs that follow each other. */
export class ProgramFinder {
  private readonly known = new Map<string, { path: string; until: number }>();

  /** The absolute path of the first program that is there and may be run. Throws `not_installed`. */
  async find(wanted: FindProgram): Promise<string> {
    const { names, directories = [], userFolders = false, environment } = wanted;
    const key = [...names, '', ...directories, '', userFolders, environment.PATH, environment.HOME].join('\0');
    const known = this.known.get(key);
    if (known && performance.now() < known.until && isStillThere(known.path)) return known.path;
    const path = await findProgram(wanted);
    this.known.set(key, { path, until: performance.now() + KNOWN_FOR_MS });
    return path;
  }
}

/** Speed: sync, because each chat asks. The way over a thread costs ten times as much, and wakes this program once more. */
function isStillThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** As `ProgramFinder.find`, for one search. */
export async function findProgram(options: FindProgram): Promise<string> {
  const { names, directories = [], environment, daemon } = options;
  const home = homeFolder(environment);
  const expand = (path: string) => expandHome(path, environment);
  const onPath = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  const wanted = names.map(expand);
  const bare = wanted.filter((name) => !/[/\\]/.test(name));
  const unusable: string[] = [];
  const first = wanted.flatMap((name) => (bare.includes(name) ? onPath.map((folder) => join(folder, name)) : [name]));
  const usual = await findUsable(first, unusable);
  if (usual !== undefined) return usual;
  const further = [
    ...directories.map(expand),
    ...(options.userFolders && home ? await userFolders(environment, home) : []),
  ];
  const found = await findUsable(
    further.flatMap((folder) => bare.map((name) => join(folder, name))),
    unusable,
  );
  if (found !== undefined) return found;
  if (unusable.length > 0) {
    throw new DriverError('not_installed', `not executable: ${unusable.join(', ')}`, {
      kind: 'binary_not_executable',
      hint: `run: chmod +x '${unusable[0]}'`,
    });
  }
  const onWhose = daemon === undefined ? 'on the PATH' : `on the PATH of ${daemon.name}`;
  // Not in the hint: drivers have hints of their own.
  const again = daemon === undefined ? '' : `; if your terminal finds it: ${daemon.restart}`;
  const places = bare.length > 0 ? ` (looked ${[onWhose, ...further].join(', ')})${again}` : '';
  throw new DriverError('not_installed', `program not found: ${wanted.map(shown).join(', ')}${places}`, {
    kind: 'binary_missing',
    hint: 'install it, or set command to its absolute path',
  });
}

/** A command as a message shows it: in its place stands a key where the user has mixed up two options. */
export function shown(command: string): string {
  return isAbsolute(command) ? command : shownName(command);
}

/** The first path that may be run. Adds to `unusable` each file that is there and may not be run. */
async function findUsable(paths: readonly string[], unusable: string[]): Promise<string | undefined> {
  for (const candidate of paths.flatMap((path) => EXTENSIONS.map((extension) => path + extension))) {
    // A relative path would mean another program in each working directory.
    if (!isAbsolute(candidate) || !(await isFile(candidate))) continue;
    if (await mayExecute(candidate)) return candidate;
    unusable.push(candidate);
  }
  return undefined;
}

/** A folder may be executable, too. It does not hide the program of the next place. */
async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

/** For a folder: whether it may be entered. */
export function mayExecute(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
