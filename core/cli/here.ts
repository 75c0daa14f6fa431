import { accessSync, constants } from 'node:fs';
import { codeOf, UsageError } from '../errors';
import { findPaths, type Paths } from '../paths';

/** Throws a UsageError where the folder has been removed, or where this user may not enter it: no file in it can then be found. */
export function workingDirectory(): string {
  try {
    const folder = process.cwd();
    accessSync(folder, constants.X_OK);
    return folder;
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'does not exist any more' : 'may not be entered by this user';
    throw new UsageError(`the working directory ${reason}`, 'change to another folder and try again');
  }
}

/** The files and folders of this user and of this folder. */
export function pathsHere(): Paths {
  return findPaths(process.env, workingDirectory());
}
