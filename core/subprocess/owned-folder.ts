import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { localProcesses } from './local-processes';
import { formatIdentity, parseIdentity } from './run-marker';
import { makeFolder } from '../make-folder';

/** Makes a folder that only the user can read. It belongs to this program, and is removed with `removeOwnFolder`. */
export function makeOwnFolder(parent: string): string {
  const folder = join(parent, formatIdentity(localProcesses().identity));
  makeFolder(parent);
  removeOwnFolder(folder);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

export function removeOwnFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the folders of programs that were killed: their names say which program each one belongs to. */
export function sweepOwnFolders(parent: string, ownerOf = parseIdentity): void {
  for (const name of namesIn(parent)) {
    const owner = ownerOf(name);
    if (!owner || localProcesses().isRunning(owner)) continue;
    try {
      removeOwnFolder(join(parent, name));
    } catch {
      // The folder does no harm where it is, and a failure must not keep the others.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
