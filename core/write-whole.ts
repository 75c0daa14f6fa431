import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './errors';

interface Options {
  /** The mode that the file gets, also when it replaces one. Default: 0o600. `usual`: the user's umask decides. */
  mode?: number | 'usual';
  /** Throws EEXIST where the file is there. */
  isNew?: boolean;
}

const DRAFT = /^\..+\.drivebay-[\da-f]{8}$/;
const LEFTOVER_MS = 10 * 60_000;

/**
 * Writes a file whole or not at all, wherever the program is killed and also on a full disk: readers see the file before or
 * the new one. Replaces the target of a link and not the link, and removes what killed programs have left in the folder.
 */
export function writeWhole(file: string, content: string | Uint8Array, { mode, isNew }: Options = {}): void {
  const { target, draft } = prepare(file, isNew);
  const descriptor = openSync(draft, 'wx', opened(mode));
  try {
    try {
      if (mode !== 'usual') fchmodSync(descriptor, opened(mode));
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    place(draft, target, isNew);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  removeDrafts(dirname(target));
}

/** The same for files of a daemon, which goes on meanwhile. */
export async function writeWholeLater(
  file: string,
  content: string | Uint8Array,
  { mode, isNew }: Options = {},
): Promise<void> {
  const { target, draft } = prepare(file, isNew);
  const handle = await open(draft, 'wx', opened(mode));
  try {
    try {
      if (mode !== 'usual') await handle.chmod(opened(mode));
      await handle.writeFile(content);
      // Else the rename may reach the disk before the content.
      await handle.sync();
    } finally {
      await handle.close();
    }
    place(draft, target, isNew);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  removeDrafts(dirname(target));
}

/** Removes what killed programs have left in a folder. A younger file may be of a program that writes at this moment. */
export function removeDrafts(folder: string): void {
  for (const name of draftsIn(folder)) {
    const file = join(folder, name);
    try {
      if (lstatSync(file).mtimeMs < Date.now() - LEFTOVER_MS) rmSync(file, { force: true });
    } catch {
      // Nothing depends on it: the folder may be read-only, or another program was faster.
    }
  }
}

function draftsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => DRAFT.test(name));
  } catch {
    return [];
  }
}

function prepare(file: string, isNew = false): { target: string; draft: string } {
  const target = isNew ? file : targetOf(file);
  return { target, draft: join(dirname(target), `.${basename(target)}.drivebay-${randomBytes(4).toString('hex')}`) };
}

/** A link may be there before its target: the target is what is written. */
function targetOf(file: string): string {
  if (!isThere(file)) return file;
  try {
    return realpathSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return targetOf(resolve(realpathSync(dirname(file)), readlinkSync(file)));
  }
}

const opened = (mode: Options['mode'] = 0o600) => (mode === 'usual' ? 0o666 : mode);

/** Of two programs that make a new file at once one gets EEXIST: a rename alone would replace the other's. */
function place(draft: string, target: string, isNew = false): void {
  if (!isNew) return renameSync(draft, target);
  try {
    linkSync(draft, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some file systems have no links, and say so even where the file is there.
    if (isThere(target)) throw Object.assign(new Error(`${target} exists already`), { code: 'EEXIST' });
    return renameSync(draft, target);
  }
  rmSync(draft, { force: true });
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
