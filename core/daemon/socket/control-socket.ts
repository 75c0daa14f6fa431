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
  }
}

/**
 * Binds a server to the socket of a configuration and a state folder, and takes over what a killed daemon left there.
 * Rejects with a DaemonRunsError when a daemon has the socket. Of several programs at once one succeeds.
 */
export async function bindControlSocket(
  server: Server,
  paths: Pick<Paths, 'configHome' | 'state'>,
): Promise<ControlSocket> {
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  return withLock(join(paths.state, 'daemon.lock'), async () => {
    const { daemon, free } = await findDaemon(paths);
    if (daemon) throw new DaemonRunsError(daemon);
    const path = free ?? (await lastPlace(paths));
    makeSocketFolder(path);
    await listen(server, path);
    const socket = new ControlSocket(path, server);
    try {
      writePidFile(path);
    } catch (error) {
      // For example because the disk is full.
      socket.release();
      throw error;
    }
    return socket;
  });
}

async function lastPlace(paths: Pick<Paths, 'configHome' | 'state'>): Promise<string> {
  let last = '';
  for await (const place of socketPlaces(paths)) last = place;
  return last;
}

/**
 * Listens under another name first. So the socket appears when it is ready, in place of a stale one. And when the server
 * closes, it does not remove the path, which may be another daemon's by then.
 */
async function listen(server: Server, path: string): Promise<void> {
  const temporary = join(dirname(path), `d.${process.pid}`);
  rmSync(temporary, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // The call makes the socket; the mask lets only the user open it.
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
