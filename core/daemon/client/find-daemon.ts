import { realpathSync, statSync } from 'node:fs';
import { explainFolder } from '../../paths';
import type { DaemonPlace } from '../control/daemon-info';
import { type DaemonFolders, hasSecondPlaces, mayBeOwn, socketPlaces } from '../socket/socket-places';
import type { ControlClient } from './control-client';

export interface FoundDaemon extends DaemonPlace {
  client: ControlClient;
}

/** Finds the daemon of two folders, or else the first place where its socket may be: the last one if all are taken. */
export async function findDaemon(folders: DaemonFolders): Promise<{ daemon?: FoundDaemon; place: string }> {
  let free: string | undefined;
  let last = '';
  for await (last of socketPlaces(folders)) {
    const found = isThere(last, folders) ? await askAt(last) : undefined;
    if (found && isSame(found.info.config, folders.configHome)) return { daemon: found, place: last };
    if (!found) free ??= last;
    if (free !== undefined && !hasSecondPlaces()) break;
  }
  return { place: free ?? last };
}

/** Whether two paths lead to one folder: the HOME of one of them may be a link. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** Throws where the state folder cannot be looked into: a daemon may run there all the same. */
function isThere(socket: string, { state }: DaemonFolders): boolean {
  try {
    return mayBeOwn(socket) && statSync(socket, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainFolder(error, { state }, 'state');
  }
}

/** Undefined where no program listens: a daemon that was killed left the socket there. */
async function askAt(socket: string): Promise<FoundDaemon | undefined> {
  // Speed: without a socket there is no need for HTTP.
  const { ControlClient } = await import('./control-client');
  const client = new ControlClient(socket);
  const info = await client.describe();
  return info && { socket, client, info };
}
