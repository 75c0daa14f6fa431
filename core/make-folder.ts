import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors';

/**
 * Makes a folder, with the folders above it; without a mode only the user can open them. Node's own `recursive` tries again for ever where
 * a parent exists and the system says that it does not, as below /proc, and calls a read-only disk a missing folder. Returns the outermost folder that it has made.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const made = parent === folder ? undefined : makeFolder(parent, mode);
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
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
