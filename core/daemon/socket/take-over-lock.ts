import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../errors';
import { localProcesses } from '../../subprocess/local-processes';
import { formatIdentity, parseIdentity } from '../../subprocess/run-marker';

const LOOK_AGAIN_MS = 10;
/** A lock is held for milliseconds. The processes of another container cannot be seen: their locks expire after this time. */
const FOREIGN_LIMIT_MS = 10_000;

let locks = 0;

/**
 * Runs `work` while no other program does so with the same path. The lock is a file that names its holder. A lock whose
 * holder was killed is removed at once, and only under a second lock named after that holder: otherwise two programs
 * that find it at the same time would both remove it, the second one from a new holder.
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string): Promise<void> {
  const mine = `${path}.${process.pid}.${(locks += 1)}`;
  try {
    // Written first and linked then, so that every lock has a name in it.
    writeFileSync(mine, formatIdentity(localProcesses().identity), { mode: 0o600 });
    while (!tryLink(mine, path)) {
      const holder = read(path);
      if (holder === undefined) continue;
      if (isHeld(path, holder)) await pause(LOOK_AGAIN_MS);
      else await remove(path, holder);
    }
  } finally {
    rmSync(mine, { force: true });
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
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age < FOREIGN_LIMIT_MS;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/[^\w.]/g, '');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
