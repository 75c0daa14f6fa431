import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors';

/**
 * Makes a folder that only the user can open, with the folders above it. Node's own `recursive` tries again for ever where
 * a parent exists and the system says that it does not, as below /proc. Returns the outermost folder that it has made.
 */
export function makeFolder(folder: string): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const made = parent === folder ? undefined : makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another program may have made it meanwhile.
    if (codeOf(error) !== 'EEXIST' || !isFolder(folder)) throw error;
    return made;
  }
  return made ?? folder;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
