import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile } from '../config/small-file';
import type { Logger } from '../contract/api';
import { codeOf, messageOf } from '../errors';
import { makeFolder } from '../make-folder';
import { removeDrafts, writeWhole } from '../write-whole';

const KEY_BYTES = 32;

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
    removeDrafts(state);
    return key;
  } catch (error) {
    const effect = 'conversations that hold reasoning continue without it after a restart';
    log.warn(`the key in ${file} cannot be kept: ${messageOf(error)}; ${effect}`);
    return fresh;
  }
}

function kept(file: string): Buffer | undefined {
  const found = readSmallFile(file);
  if (found.state === 'absent') return undefined;
  if (found.state === 'unusable') throw new Error(`it ${found.reason}`);
  if (found.value.length !== KEY_BYTES) throw new Error('it is not a key; remove it');
  return found.value;
}

function create(state: string, file: string, key: Buffer): Buffer {
  makeFolder(state);
  try {
    writeWhole(file, key, { isNew: true });
    return key;
  } catch (error) {
    // Another daemon of the same state folder was faster: its key counts.
    const other = codeOf(error) === 'EEXIST' ? kept(file) : undefined;
    if (other) return other;
    throw error;
  }
}
