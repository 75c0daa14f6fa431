import { existsSync } from 'node:fs';
import type { Paths } from '../../paths';
import { type DaemonInfo, daemonInfoSchema } from '../control/protocol';
import { socketPlaces } from '../socket-places';
import { ControlClient, DaemonGoneError } from './control-client';

/** A daemon that has a socket. */
export interface FoundDaemon {
  socket: string;
  client: ControlClient;
  info: DaemonInfo;
}

/** Finds the daemon of a configuration and a state folder, or else the first place where its socket may be. */
export async function findDaemon(
  paths: Pick<Paths, 'configHome' | 'state'>,
): Promise<{ daemon?: FoundDaemon; free?: string }> {
  let free: string | undefined;
  for (const socket of socketPlaces(paths)) {
    const found = existsSync(socket) ? await ask(socket) : undefined;
    if (!found) free ??= socket;
    else if (found.info.config === paths.configHome) return { daemon: found };
  }
  return free === undefined ? {} : { free };
}

/** Undefined where nobody listens: what is there was left by a daemon that was killed. */
async function ask(socket: string): Promise<FoundDaemon | undefined> {
  const client = new ControlClient(socket);
  try {
    const info = await client.get('/v1/daemon', daemonInfoSchema);
    return { socket, client, info };
  } catch (error) {
    if (error instanceof DaemonGoneError) return undefined;
    throw error;
  }
}
