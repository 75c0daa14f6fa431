import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, HintedError, messageOf } from '../errors';
import { howToMove } from '../paths';
import { pathsHere } from './here';

/** Less than this is no space for a record. */
const LEAST_BYTES = 1024 * 1024;

interface FolderFault {
  /** Names the folder. */
  reason: string;
  isFull: boolean;
}

/** Why a folder cannot be written. Changes nothing: where the folder does not exist yet, its nearest parent decides. */
export async function folderFault(folder: string): Promise<FolderFault | undefined> {
  for (let place = folder; ; place = dirname(place)) {
    try {
      if (!(await stat(place)).isDirectory()) return { reason: `${place} is no folder`, isFull: false };
      await access(place, constants.W_OK | constants.X_OK);
      const { bavail, bsize, files, ffree } = await statfs(place);
      // A file system without a limit for the number of files has none.
      const isFull = bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
      return isFull ? { reason: `the disk of ${place} is full`, isFull } : undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && dirname(place) !== place) continue;
      return { reason: `${place} cannot be written to (${messageOf(error).split(':')[0]})`, isFull: false };
    }
  }
}

/** Throws where the state folder cannot be used. */
export async function checkState(): Promise<void> {
  const fault = await folderFault(pathsHere().state);
  if (!fault) return;
  throw new HintedError(`the state folder cannot be used: ${fault.reason}`, howToMove('state', fault.isFull));
}
