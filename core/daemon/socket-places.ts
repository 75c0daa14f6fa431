import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Paths } from '../paths';

/** Systems end the path of a socket after 104 or 108 bytes. */
const LENGTH_LIMIT = 100;
/** Not `TMPDIR`: it may differ between a client and the daemon. */
const TEMPORARY = '/tmp';

type Pair = Pick<Paths, 'configHome' | 'state'>;

/**
 * Where the control socket of a daemon may be, the first choice first. A daemon belongs to one pair of configuration
 * and state folder: the second place is for a pair whose state folder is in use with another configuration, and for
 * paths that are too long.
 */
export function socketPlaces({ configHome, state }: Pair): string[] {
  const usual = join(state, 'daemon.sock');
  const hash = createHash('sha256').update(`${configHome}\0${state}`).digest('hex').slice(0, 16);
  const own = join(TEMPORARY, `drivebay-${userId()}-${hash}`, 'daemon.sock');
  return Buffer.byteLength(usual) > LENGTH_LIMIT ? [own] : [usual, own];
}

/** Makes the folder of a socket, and throws where it is not the user's alone: anybody may write to the temporary one. */
export function makeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (dirname(folder) !== TEMPORARY) return;
  const { uid, mode } = lstatSync(folder);
  const isPrivate = lstatSync(folder).isDirectory() && uid === userId() && (mode & 0o077) === 0;
  if (!isPrivate) throw new Error(`${folder} is not a folder that only you can use; remove it`);
}

function userId(): number {
  return process.getuid?.() ?? userInfo().uid;
}
