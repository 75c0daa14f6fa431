import { UsageError } from '../errors';
import { findPaths, type Paths } from '../paths';

export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working directory does not exist any more', 'change to another folder and try again');
  }
}

/** The files and folders of this user and of this folder. */
export function pathsHere(): Paths {
  return findPaths(process.env, workingDirectory());
}
