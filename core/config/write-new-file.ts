import { constants } from 'node:fs';
import { copyFile, link, lstat, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../errors';
import { makeFolder } from '../make-folder';
import { writeWholeLater } from '../write-whole';

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
  // The user's umask decides.
  makeFolder(dirname(path), 0o777);
  const existing = await targetOf(path);
  if (existing !== undefined && options.existing === 'stays') throw new FileExistsError(path);
  if (existing === undefined) {
    await create(path, text, options.isSecret ? 0o600 : 'usual');
    return {};
  }
  const backup = options.existing === 'copied' ? await keep(existing) : undefined;
  try {
    await writeWholeLater(existing, text, { mode: options.isSecret ? 0o600 : (await stat(existing)).mode & 0o777 });
  } catch (error) {
    // It may be the file itself under another name, and an edit would change both.
    if (backup !== undefined) await rm(backup, { force: true }).catch(() => undefined);
    throw error;
  }
  return { backup };
}

/** Another program may have created the file in the meantime. */
async function create(file: string, text: string, mode: number | 'usual'): Promise<void> {
  try {
    await writeWholeLater(file, text, { mode, isNew: true });
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? new FileExistsError(file) : error;
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

/** Keeps the file under the first free name. A link is there whole or not at all; some file systems have none. */
async function keep(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.bak${number === 1 ? '' : number}`;
    try {
      await link(file, backup).catch((error: unknown) => {
        if (codeOf(error) === 'EEXIST') throw error;
        return copyFile(file, backup, constants.COPYFILE_EXCL);
      });
      return backup;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
