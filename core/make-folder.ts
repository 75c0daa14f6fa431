import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors';

/**
 * Makes a folder, with the folders above it; without a mode only the user can open them. Returns the outermost folder that it has
 * made. Node's own `recursive` tries again for ever if a parent exists and the system says that it does not, as below /proc, and calls
 * a read-only disk a missing folder.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = dirname(folder);
  // Below a file there is no folder to make: then the system says what is wrong.
  const made = existsSync(parent) ? undefined : makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another program may have made it meanwhile.
    if (codeOf(error) !== 'EEXIST' || !isFolder(folder)) throw error;
    return made;
  }
  return made ?? folder;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    // Node 20 says this of a path below a file, newer versions find nothing there.
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Why nothing can be made at a path: a symbolic link there, or above it, has no target. */
export function linkFault(path: string): string | undefined {
  for (let place = path; !existsSync(place) && dirname(place) !== place; place = dirname(place)) {
    if (isLink(place)) return `${place} is a symbolic link that leads nowhere`;
  }
  return undefined;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
