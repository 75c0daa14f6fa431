import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readSmallFile } from '../config/small-file';
import type { Logger } from '../contract/api';
import { codeOf, messageOf } from '../errors';
import { makeFolder } from '../make-folder';

const KEY_BYTES = 32;
const LEFTOVER_MS = 60_000;

/**
 * The key that authenticates what clients carry for drivers. It is kept in the state folder, so that conversations go on
 * after a restart. Without a folder that can be written it lasts as long as this gateway.
 */
export function readCarrierKey(state: string | undefined, log: Logger): Buffer {
  const fresh = randomBytes(KEY_BYTES);
  if (state === undefined) return fresh;
  const file = join(state, 'carrier.key');
  try {
    const key = kept(file) ?? create(state, file, fresh);
    removeLeftovers(file);
    return key;
  } catch (error) {
    const effect = 'conversations that hold reasoning go on without it after a restart';
    log.warn(`the key in ${file} cannot be kept: ${messageOf(error)}; ${effect}`);
    return fresh;
  }
}

function kept(file: string): Buffer | undefined {
  const found = readSmallFile(file);
  if (found.state === 'absent') return undefined;
  if (found.state === 'unusable') throw new Error(`it ${found.reason}`);
  if (found.value.length !== KEY_BYTES) throw new Error('it is no key; remove it');
  return found.value;
}

/** The file is there whole or not at all: half a key, after a kill or on a full disk, would be refused at every start. */
function create(state: string, file: string, key: Buffer): Buffer {
  makeFolder(state);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, key, { flag: 'wx', mode: 0o600 });
    place(temporary, file, key);
    return key;
  } catch (error) {
    // Another daemon of the same state folder was faster: its key counts.
    const other = codeOf(error) === 'EEXIST' ? kept(file) : undefined;
    if (other) return other;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Fails where the file is there already. Some file systems have no links. */
function place(temporary: string, file: string, key: Buffer): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    writeFileSync(file, key, { flag: 'wx', mode: 0o600 });
  }
}

/** What killed daemons have left. A younger file may be of a daemon that starts at this moment. */
function removeLeftovers(file: string): void {
  try {
    for (const name of readdirSync(dirname(file))) {
      const path = join(dirname(file), name);
      if (!name.startsWith(`${basename(file)}.`) || statSync(path).mtimeMs > Date.now() - LEFTOVER_MS) continue;
      rmSync(path, { force: true });
    }
  } catch {
    // The key is good without it: the folder may be read-only, or another daemon was faster.
  }
}
