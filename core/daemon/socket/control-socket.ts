import { once } from 'node:events';
import { renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors';
import { findDaemon, type FoundDaemon } from '../client/find-daemon';
import { removePidFile, writePidFile } from './pid-file';
import { type DaemonFolders, makeSocketFolder, removeSocketFolder } from './socket-places';
import { withLock } from './take-over-lock';
import { makeFolder } from '../../make-folder';

export class DaemonRunsError extends Error {
  readonly code = 'daemon_runs';
  constructor(readonly daemon: FoundDaemon) {
    super('another daemon runs');
    this.name = 'DaemonRunsError';
  }
}

export class ControlSocket {
  private readonly inode: number;

  constructor(
    readonly path: string,
    private readonly server: Server,
  ) {
    this.inode = statSync(path).ino;
  }

  /** Whether clients find this daemon at its path: another program may have removed the socket. */
  isInPlace(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.inode;
  }

  /** Lets the next daemon take the place. Connections stay. */
  release(): void {
    this.server.close();
    if (!this.isInPlace()) return;
    removePidFile(this.path);
    rmSync(this.path, { force: true });
    removeSocketFolder(this.path);
  }
}

/**
 * Binds a server to the socket of two folders, and takes over what a killed daemon left there. Rejects with a
 * DaemonRunsError when a daemon has the socket. Of several programs at once one succeeds.
 */
export async function bindControlSocket(server: Server, folders: DaemonFolders): Promise<ControlSocket> {
  makeFolder(folders.state);
  return withLock(join(folders.state, 'daemon.lock'), async () => {
    const { daemon, place: path } = await findDaemon(folders);
    if (daemon) throw new DaemonRunsError(daemon);
    await listen(server, path).catch((error: unknown) => {
      // The folder may have gone with the daemon before.
      if (codeOf(error) !== 'ENOENT') throw error;
      return listen(server, path);
    });
    const socket = new ControlSocket(path, server);
    try {
      writePidFile(path);
    } catch (error) {
      socket.release();
      throw error;
    }
    return socket;
  });
}

/**
 * Listens under another name first. So the socket appears when it is ready, in place of a stale one. And when the server
 * closes, it does not remove the path, which may be another daemon's by then.
 */
async function listen(server: Server, path: string): Promise<void> {
  makeSocketFolder(path);
  const temporary = join(dirname(path), `d.${process.pid}`);
  rmSync(temporary, { force: true });
  // The call makes the socket; the mask lets only the user open it.
  const mask = process.umask(0o177);
  try {
    server.listen(temporary);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
  try {
    renameSync(temporary, path);
  } catch (error) {
    server.close();
    throw error;
  }
}
