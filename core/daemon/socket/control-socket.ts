import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Paths } from '../../paths';
import { findDaemon, type FoundDaemon } from '../client/find-daemon';
import { removePidFile, writePidFile } from './pid-file';
import { makeSocketFolder, socketPlaces } from './socket-places';
import { withLock } from './take-over-lock';

/** Another daemon has the socket. */
export class DaemonRunsError extends Error {
  readonly code = 'daemon_runs';
  constructor(readonly daemon: FoundDaemon) {
    super('another daemon runs');
    this.name = 'DaemonRunsError';
  }
}

/** The socket of this daemon, as long as it runs. */
export class ControlSocket {
  private readonly inode: number;

  constructor(
    readonly path: string,
    private readonly server: Server,
  ) {
    this.inode = statSync(path).ino;
  }

  /** Whether clients find this daemon at its path: somebody may have removed the socket. */
  isInPlace(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.inode;
  }

  /** Lets the next daemon take the place. Connections stay. */
  release(): void {
    this.server.close();
    if (!this.isInPlace()) return;
    removePidFile(this.path);
    rmSync(this.path, { force: true });
  }
}

/**
 * Binds a server to the socket of a configuration and a state folder. Rejects with a DaemonRunsError when a daemon has
 * it; what a daemon left behind that was killed is taken over. Of several programs at once one succeeds.
 */
export async function bindControlSocket(
  server: Server,
  paths: Pick<Paths, 'configHome' | 'state'>,
): Promise<ControlSocket> {
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  return withLock(join(paths.state, 'daemon.lock'), async () => {
    const { daemon, free } = await findDaemon(paths);
    if (daemon) throw new DaemonRunsError(daemon);
    const path = free ?? [...socketPlaces(paths)].at(-1)!;
    makeSocketFolder(path);
    await listen(server, path);
    const socket = new ControlSocket(path, server);
    try {
      writePidFile(path);
    } catch (error) {
      // The disk is full.
      socket.release();
      throw error;
    }
    return socket;
  });
}

/**
 * Listens under another name first: the socket appears when it is ready, in place of a stale one, and the server does
 * not remove the path by its name when it closes, which may be another daemon's by then.
 */
async function listen(server: Server, path: string): Promise<void> {
  const temporary = join(dirname(path), `d.${process.pid}`);
  rmSync(temporary, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // The socket is made within the call, for the user alone.
    const mask = process.umask(0o177);
    try {
      server.listen(temporary, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
  renameSync(temporary, path);
}
