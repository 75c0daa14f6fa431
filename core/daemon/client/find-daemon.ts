import { existsSync } from 'node:fs';
import type { Paths } from '../../paths';
import type { DaemonPlace } from '../control/daemon-info';
import { hasSecondPlaces, socketPlaces } from '../socket/socket-places';
import type { ControlClient } from './control-client';

/** A daemon that answers. */
export interface FoundDaemon extends DaemonPlace {
  client: ControlClient;
}

/** Finds the daemon of a configuration and a state folder, or else the first place where its socket may be. */
export async function findDaemon(
  paths: Pick<Paths, 'configHome' | 'state'>,
): Promise<{ daemon?: FoundDaemon; free?: string }> {
  let free: string | undefined;
  for await (const socket of socketPlaces(paths)) {
    const found = existsSync(socket) ? await askAt(socket) : undefined;
    if (found?.info.config === paths.configHome) return { daemon: found };
    if (!found) free ??= socket;
    if (free !== undefined && !hasSecondPlaces()) break;
  }
  return { free };
}

/** Undefined where no program listens: a daemon that was killed left the socket there. */
async function askAt(socket: string): Promise<FoundDaemon | undefined> {
  // Speed: without a socket there is no need for HTTP.
  const { ControlClient } = await import('./control-client');
  const client = new ControlClient(socket);
  const info = await client.describe();
  return info && { socket, client, info };
}
