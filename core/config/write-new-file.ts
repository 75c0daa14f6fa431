import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors';

/** There is a file, and it must not be replaced. */
export class FileExistsError extends Error {
  readonly code = 'file_exists';
  constructor(readonly file: string) {
    super(`${file} exists already`);
    this.name = 'FileExistsError';
  }
}

export interface WrittenFile {
  /** Where the file before is kept; absent where there was none. */
  backup?: string;
}

/**
 * Writes a whole file or nothing, its folders included. Rejects with a FileExistsError where there is one already, unless
 * it may be replaced: then the one before is kept beside it. A link stays a link: what it leads to is replaced.
 */
export async function writeNewFile(path: string, text: string, options: { replace: boolean }): Promise<WrittenFile> {
  await mkdir(dirname(path), { recursive: true });
  const existing = await targetOf(path);
  const file = existing ?? path;
  if (existing !== undefined && !options.replace) throw new FileExistsError(path);
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    await writeWhole(temporary, text, existing === undefined ? undefined : (await stat(existing)).mode);
    if (existing === undefined) {
      await place(temporary, file);
      return {};
    }
    const backup = await keep(file);
    await rename(temporary, file);
    return { backup };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** What is at a path, links followed; undefined where nothing is. */
async function targetOf(path: string): Promise<string | undefined> {
  try {
    await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return realpath(path);
}

/** `mode`: that of the file before; a new one gets what the user gives every file. */
async function writeWhole(file: string, text: string, mode: number | undefined): Promise<void> {
  const handle = await open(file, 'w');
  try {
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Unlike a rename, this fails where another program has made the file meanwhile. */
async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileExistsError(file);
    // Not every file system has links.
    await copyFile(temporary, file, constants.COPYFILE_EXCL);
  }
}

/** Copies the file to the first free name; an older copy is never lost. */
async function keep(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.bak${number === 1 ? '' : number}`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
