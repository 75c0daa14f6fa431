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
  for (const socket of socketPlaces(paths)) {
    const found = existsSync(socket) ? await ask(socket) : undefined;
    if (found?.info.config === paths.configHome) return { daemon: found };
    if (!found) free ??= socket;
    if (free !== undefined && !hasSecondPlaces()) break;
  }
  return free === undefined ? {} : { free };
}

/** What speaks HTTP is loaded where there may be somebody to speak to. */
function ask(socket: string): Promise<FoundDaemon | undefined> {
  const { askDaemon } = require('./ask-daemon') as typeof import('./ask-daemon');
  return askDaemon(socket);
}
