import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf, HintedError, messageOf } from './errors';
import { isFolder, linkFault } from './make-folder';

/** Everything that Drivebay has a place for, for one user and one working directory. */
export interface Paths {
  /** The user's configuration folder, whether or not it exists: with the state folder it tells daemons apart. */
  configHome: string;
  /** `~/.config/drivebay`, if it is there: its file counts where the configuration folder has none. Else the same folder. */
  userConfig: string;
  /** The nearest ancestor of the working directory that holds `.drivebay/`. */
  projectRoot?: string;
  /** `.drivebay` in the project root. */
  projectFolder?: string;
  state: string;
  cache: string;
  userPlugins: string;
  userSkills: string;
}

const NAME = 'drivebay';

/** The variables that move the folders of ours. */
const VARIABLES = { configHome: 'XDG_CONFIG_HOME', state: 'XDG_STATE_HOME', cache: 'XDG_CACHE_HOME' } as const;
type OwnFolder = keyof typeof VARIABLES;

/**
 * The home folder of the user. Undefined where there is none: in a container a user may have a number only. A relative
 * value would be another folder in each working directory, so it is ignored, as the XDG specification has it.
 */
export function homeFolder({ HOME: home = '' }: NodeJS.ProcessEnv): string | undefined {
  if (isAbsolute(home)) return home;
  try {
    return userInfo().homedir || undefined;
  } catch {
    return undefined;
  }
}

/** A path that begins with `~`, which stands for the home folder. Any other path stays as it is. */
export function expandHome(path: string, environment: NodeJS.ProcessEnv): string {
  return path.replace(/^~(?=\/|$)/, (tilde) => homeFolder(environment) ?? tilde);
}

/** Throws a HintedError where a folder has no place. */
export function findPaths(environment: NodeJS.ProcessEnv, workingDirectory: string): Paths {
  const home = homeFolder(environment);
  const base = (folder: OwnFolder, fallback: string) => {
    const value = environment[VARIABLES[folder]];
    if (value !== undefined && isAbsolute(value)) return join(value, NAME);
    if (home !== undefined) return join(home, fallback, NAME);
    const variables = Object.values(VARIABLES).join(', ');
    throw new HintedError(
      'there is no home folder: HOME is no absolute path, and the system does not know this user',
      `run: export HOME=<absolute path>; or set all of ${variables}, each an absolute path`,
    );
  };
  const configHome = base('configHome', '.config');
  const atHome = home === undefined ? configHome : join(home, '.config', NAME);
  // Where nothing is at home, a new file belongs where the variable says.
  const userConfig = canEnter(atHome) ? atHome : configHome;
  const inConfig = (file: string) => {
    const preferred = join(configHome, file);
    return existsSync(preferred) ? preferred : join(userConfig, file);
  };
  const projectRoot = findProjectRoot(workingDirectory);
  return {
    configHome,
    userConfig,
    projectRoot,
    projectFolder: projectRoot && folderIn(projectRoot),
    state: base('state', '.local/state'),
    cache: base('cache', '.cache'),
    userPlugins: inConfig('plugins'),
    userSkills: inConfig('skills'),
  };
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return isFolder(folder);
  } catch {
    return false;
  }
}

/** The nearest ancestor that holds `.drivebay/`, the folder itself included. A planted one does not count. */
export function findProjectRoot(workingDirectory: string): string | undefined {
  // A planted link is not followed: it may lead to itself.
  return foldersAbove(workingDirectory).find((folder) => !isPlanted(folder) && isFolder(folderIn(folder)));
}

/** The planted `.drivebay` folders, which do not count. */
export function plantedFolders(workingDirectory: string): string[] {
  return foldersAbove(workingDirectory).filter(isPlanted).map(folderIn);
}

function foldersAbove(folder: string): string[] {
  const place = resolve(folder);
  const above = dirname(place);
  return [place, ...(above === place ? [] : foldersAbove(above))];
}

const folderIn = (root: string) => join(root, `.${NAME}`);

/** Whether another user has put the folder where every user can write, as in `/tmp`: it would count for all users who work below. */
function isPlanted(root: string): boolean {
  const user = process.getuid?.();
  if (user === undefined || !isOpenToAll(root)) return false;
  // The user who made a link owns it, and the owner of its target does not matter.
  const found = lstatSync(folderIn(root), { throwIfNoEntry: false });
  if (!found || found.isFile()) return false;
  return found.uid !== user && found.uid !== 0;
}

function isOpenToAll(folder: string): boolean {
  return isFolder(folder) && (statSync(folder).mode & 0o002) !== 0;
}

/** Says of the variable of a folder of ours that it is set and does not count. `place`: the folder that is in use. */
export function ignoredVariable(folder: OwnFolder, environment: NodeJS.ProcessEnv, place: string): string | undefined {
  const value = environment[VARIABLES[folder]] ?? '';
  if (value === '' || isAbsolute(value)) return undefined;
  return `${VARIABLES[folder]} does not count: it is no absolute path; in use: ${place}`;
}

/** What to do about a folder that cannot be written. The folder may be anybody's: nothing here changes or removes it. */
export function howToMove(folder: OwnFolder, isFull = false): string {
  return `${isFull ? 'free space on its disk, or ' : ''}choose another folder: export ${VARIABLES[folder]}=<absolute path>`;
}

const TITLES: [OwnFolder, string][] = [
  ['state', 'state folder'],
  ['cache', 'cache folder'],
  ['configHome', 'configuration folder'],
];
const FULL = ['ENOSPC', 'EDQUOT'];
const UNUSABLE = [...FULL, 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'EIO'];

/**
 * Names the folder of ours that a system error is about, and the variable that moves it. Returns any other error unchanged.
 * `suspect`: the folder that was being written to, for an error that names no path, or a folder above several of ours.
 */
export function explainFolder(error: unknown, paths: Partial<Pick<Paths, OwnFolder>>, suspect?: OwnFolder): unknown {
  const code = codeOf(error) ?? '';
  const { syscall } = error as { syscall?: unknown };
  if (!UNUSABLE.includes(code) && !(code === 'ENOENT' && syscall === 'mkdir')) return error;
  const titleWhere = (fits: (folder: OwnFolder) => boolean) => TITLES.find(([folder]) => fits(folder));
  const found =
    titleWhere((folder) => isIn(error as object, paths[folder])) ??
    titleWhere((folder) => folder === suspect) ??
    titleWhere((folder) => isAbove(error as object, paths[folder]));
  if (!found || error instanceof HintedError) return error;
  const [folder, title] = found;
  const place = paths[folder] ?? '';
  return new HintedError(
    `the ${title} ${place} cannot be used: ${reasonOfLink(error) ?? linkFault(place) ?? reasonOf(error, place)}`,
    howToMove(folder, isDiskFull(error)),
  );
}

export function isDiskFull(error: unknown): boolean {
  return FULL.includes(codeOf(error) ?? '');
}

/** A lock is a symbolic link to the name of its holder, which says nothing to a user. */
function reasonOfLink(error: unknown): string | undefined {
  const { syscall, dest } = error as { syscall?: unknown; dest?: unknown };
  if (syscall !== 'symlink' || typeof dest !== 'string') return undefined;
  return `${messageOf(error).split(', ')[0]}: nothing can be written in ${dirname(dest)}`;
}

/** On a read-only disk Node may say that a parent of the new folder does not exist. The nearest folder that does tells why. */
function reasonOf(error: unknown, folder: string): string {
  const { path, dest = path } = error as { path?: unknown; dest?: unknown };
  if (codeOf(error) === 'EISDIR' && typeof dest === 'string')
    return `${dest} is a folder, and a file of ours belongs there`;
  for (let place = folder; codeOf(error) === 'ENOENT'; place = dirname(place)) {
    try {
      accessSync(place, constants.W_OK);
      break;
    } catch (reason) {
      if (codeOf(reason) !== 'ENOENT') return messageOf(reason);
    }
  }
  return messageOf(error);
}

function isIn(error: object, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const { path, address, dest } = error as Record<string, unknown>;
  return [path, dest, address].some((place) => typeof place === 'string' && `${place}/`.startsWith(`${folder}/`));
}

/** The program creates a folder together with all folders above it. */
function isAbove(error: object, folder: string | undefined): boolean {
  const { path, syscall } = error as Record<string, unknown>;
  return syscall === 'mkdir' && typeof path === 'string' && folder?.startsWith(`${path}/`) === true;
}
