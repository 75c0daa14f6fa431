import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, HintedError, messageOf } from '../errors';
import { isFolder, linkFault } from '../make-folder';
import { howToMove } from '../paths';
import { pathsHere } from './here';
import { printNote } from './terminal/print';

/** Less than this is no space for a record. */
const LEAST_BYTES = 1024 * 1024;

interface FolderFault {
  /** Names the folder. */
  reason: string;
  isFull: boolean;
  /** What is written may still find room. */
  isNearly?: boolean;
}

/** Why a folder cannot be written. Changes nothing: where the folder does not exist yet, its nearest parent decides. */
export async function folderFault(folder: string): Promise<FolderFault | undefined> {
  const brokenLink = linkFault(folder);
  if (brokenLink !== undefined) return { reason: brokenLink, isFull: false };
  for (let place = folder; ; place = dirname(place)) {
    try {
      if (!(await stat(place)).isDirectory()) return { reason: `${place} is not a folder`, isFull: false };
      await access(place, constants.W_OK | constants.X_OK);
      const { blocks, bavail, bsize, files, ffree } = await statfs(place);
      // A file system without a limit counts none.
      const isFull = (blocks !== 0 && bavail * bsize < LEAST_BYTES) || (files > 0 && ffree === 0);
      if (!isFull) return undefined;
      const left = files > 0 && ffree === 0 ? 0 : Math.floor((bavail * bsize) / 1024);
      if (left === 0) return { reason: `the disk of ${place} is full`, isFull };
      return { reason: `the disk of ${place} has only ${left} KiB left`, isFull, isNearly: true };
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && dirname(place) !== place) continue;
      return { reason: `${place} cannot be written to (${messageOf(error).split(':')[0]})`, isFull: false };
    }
  }
}

/** The same of a file that grows there. A command that ran as root leaves such files. */
export async function fileFault(file: string): Promise<string | undefined> {
  if (isFolder(file)) return `${file} is a folder, and a file of ours belongs there`;
  try {
    await access(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : `${file} cannot be written to (${codeOf(error)})`;
  }
}

/** Says where a folder, or a file there, cannot take what belongs there. Resolves with whether what is missing may be missing for that. */
export async function sayUnkept(what: string, folder: string, file?: string): Promise<boolean> {
  const reason = file === undefined ? undefined : await fileFault(file);
  const fault = (await folderFault(folder)) ?? (reason === undefined ? undefined : { reason, isFull: false });
  if (!fault) return false;
  const state = fault.isNearly ? 'may soon not be kept' : 'cannot be kept';
  printNote(`warning: ${what} ${state}: ${fault.reason}; ${howToMove('state', fault.isFull)}`);
  return true;
}

/** Throws where the state folder cannot be used. A full disk costs records and usage only, and a warning says so. */
export async function checkState(): Promise<void> {
  const { state } = pathsHere();
  const fault = await folderFault(state);
  if (!fault) return;
  if (fault.isFull) {
    await sayUnkept('records and usage', state);
    return;
  }
  throw new HintedError(`the state folder cannot be used: ${fault.reason}`, howToMove('state', fault.isFull));
}
