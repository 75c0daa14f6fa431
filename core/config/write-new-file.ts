import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors';

export class FileExistsError extends Error {
  readonly code = 'file_exists';
  constructor(readonly file: string) {
    super(`${file} exists already`);
    this.name = 'FileExistsError';
  }
}

/**
 * Writes a whole file or nothing, and creates its folders. Replaces the target of a link, not the link. `existing`: `stays`
 * rejects with a FileExistsError, `copied` keeps a copy of the existing file and returns its path, `replaced` keeps none.
 * `isSecret`: only the user can read the file, whatever its mode was.
 */
export async function writeNewFile(
  path: string,
  text: string,
  options: { existing: 'stays' | 'copied' | 'replaced'; isSecret?: boolean },
): Promise<{ backup?: string }> {
  await mkdir(dirname(path), { recursive: true });
  const existing = await targetOf(path);
  const file = existing ?? path;
  if (existing !== undefined && options.existing === 'stays') throw new FileExistsError(path);
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    const mode = options.isSecret ? 0o600 : existing === undefined ? undefined : (await stat(existing)).mode;
    await writeWhole(temporary, text, mode);
    if (existing === undefined) {
      await place(temporary, file);
      return {};
    }
    const backup = options.existing === 'copied' ? await keep(file) : undefined;
    await rename(temporary, file);
    return { backup };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function targetOf(path: string): Promise<string | undefined> {
  try {
    await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return realpath(path);
}

/** Without a mode the file gets the default of the user. */
async function writeWhole(file: string, text: string, mode: number | undefined): Promise<void> {
  // From the first byte on: a file that is opened wide stays open to those who opened it in time.
  const handle = await open(file, 'w', mode === undefined ? undefined : mode & 0o777);
  try {
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Moves the file. Unlike a rename, this fails when another program has created the file in the meantime. */
async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileExistsError(file);
    // Some file systems have no links.
    await copyFile(temporary, file, constants.COPYFILE_EXCL);
  }
}

/** Copies the file to the first free name. */
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
