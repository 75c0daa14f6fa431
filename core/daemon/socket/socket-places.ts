import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { HintedError } from '../../errors';
import { makeFolder } from '../../make-folder';
import { type Paths } from '../../paths';

export type DaemonFolders = Pick<Paths, 'configHome' | 'state'>;

/** Systems cut the path of a socket after 104 or 108 bytes. */
const LENGTH_LIMIT = 100;
/** Not `TMPDIR`: it may differ between a client and the daemon. */
const TEMPORARY = '/tmp';
const SOCKET = 'daemon.sock';

/**
 * Where the control socket of a daemon may be, the first choice first. The second place is for a state folder that is in
 * use with another configuration, and for paths that are too long.
 */
export async function* socketPlaces({ configHome, state }: DaemonFolders): AsyncGenerator<string, void> {
  const usual = join(state, SOCKET);
  if (Buffer.byteLength(usual) <= LENGTH_LIMIT) yield usual;
  // Speed: most searches end at the first place, and loading the hashes takes as long as the search.
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(`${configHome}\0${state}`).digest('hex').slice(0, 16);
  yield join(temporaryFolder(), hash, SOCKET);
}

/** Whether any daemon of this user is at a second place. */
export function hasSecondPlaces(): boolean {
  const folder = temporaryFolder();
  try {
    return isPrivate(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, SOCKET)));
  } catch {
    // The last daemon there has just ended and removed it.
    return false;
  }
}

/**
 * Whether a daemon of this user may listen at a socket. Another user could make the folder of the second places first:
 * commands would then send their keys to a program of that user.
 */
export function mayBeOwn(socket: string): boolean {
  const above = dirname(dirname(socket));
  return above !== temporaryFolder() || isPrivate(above);
}

/** Makes the folder of a socket. Throws where other users may write to it, as they may to the temporary folder. */
export function makeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  if (dirname(folder) === temporaryFolder()) checkPrivate(dirname(folder));
  makeFolder(folder);
}

/** Removes a folder that was made for a socket alone, and the folder of such folders after the last one. */
export function removeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  const above = temporaryFolder();
  if (dirname(folder) !== above) return;
  try {
    rmdirSync(folder);
    rmdirSync(above);
  } catch {
    // Another daemon has a file there.
  }
}

function checkPrivate(folder: string): void {
  makeFolder(folder);
  if (isPrivate(folder)) return;
  // The folder may be another user's, so nothing is advised about it.
  throw new HintedError(
    `the control socket would be in ${folder}, which is not a folder that only you can use`,
    'choose another state folder, with a short path: export XDG_STATE_HOME=<absolute path>',
  );
}

function isPrivate(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && stats.uid === userId() && (stats.mode & 0o077) === 0;
}

function temporaryFolder(): string {
  return join(TEMPORARY, `drivebay-${userId()}`);
}

function userId(): number {
  return process.getuid?.() ?? userInfo().uid;
}
