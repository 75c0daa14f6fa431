import { rmdir, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ownFile } from './own-folder';

/** A holder writes one small file, and touches its lock every five seconds should that take longer. */
const HELD_AT_MOST_MS = 500;

/**
 * Removes the lock that a run of Gemini CLI leaves on its list of projects when it ends while it writes this list: the next
 * runs would wait for twelve seconds. A lock whose holder lives stays. Never rejects.
 */
export async function freeRegistry(): Promise<void> {
  const lock = ownFile('gemini', 'projects.json.lock');
  const seen = await stamp(lock);
  if (!seen) return;
  // Its time of modification is not that of the clock: the program rounds it up.
  await pause(Math.max(0, HELD_AT_MOST_MS - (Date.now() - seen.ctimeMs)));
  const now = await stamp(lock);
  if (now?.ino === seen.ino && now.ctimeMs === seen.ctimeMs) await rmdir(lock).catch(() => undefined);
}

function stamp(lock: string): Promise<{ ino: number; ctimeMs: number } | undefined> {
  return stat(lock).catch(() => undefined);
}
