import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../errors';
import { localProcesses } from '../../subprocess/local-processes';
import { formatIdentity, parseIdentity } from '../../subprocess/run-marker';

const LOOK_AGAIN_MS = 10;
/** A lock is held for milliseconds. The processes of another container cannot be seen: their locks expire after this time. */
const FOREIGN_LIMIT_MS = 10_000;

/**
 * Runs `work` while no other program does so with the same path. The lock is a symbolic link, because the system makes it
 * and the name of its holder in one step. A lock whose holder was killed is removed at once, and only under a second lock
 * named after that holder: otherwise two programs that find it at the same time would both remove it, the second one from
 * a new holder.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  while (!tryLink(path)) {
    const holder = read(path);
    if (holder === undefined) continue;
    if (isHeld(path, holder)) await pause(LOOK_AGAIN_MS);
    else await remove(path, holder);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function remove(path: string, holder: string): Promise<void> {
  return withLock(`${path}.${holder}`, () => {
    if (read(path) === holder) rmSync(path, { force: true });
  });
}

function isHeld(path: string, holder: string): boolean {
  const identity = parseIdentity(holder);
  if (!identity) return false;
  const local = localProcesses();
  if (identity.namespace === local.identity.namespace) return local.isRunning(identity);
  const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age < FOREIGN_LIMIT_MS;
}

function tryLink(path: string): boolean {
  try {
    symlinkSync(formatIdentity(localProcesses().identity), path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The holder of a lock; undefined where there is none any more. A file that is no link names no holder. */
function read(path: string): string | undefined {
  try {
    return readlinkSync(path).replace(/[^\w.]/g, '');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'EINVAL') return '';
    throw error;
  }
}
