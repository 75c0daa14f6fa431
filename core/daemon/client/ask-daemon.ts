import { isDaemonInfo } from '../control/daemon-info';
import { ControlClient, ControlError, DaemonGoneError } from './control-client';
import type { FoundDaemon } from './find-daemon';

/** The daemon behind a socket. Undefined where nobody listens: what is there was left by a daemon that was killed. */
export async function askDaemon(socket: string): Promise<FoundDaemon | undefined> {
  const client = new ControlClient(socket);
  try {
    const info = await client.getJson('/v1/daemon');
    if (!isDaemonInfo(info)) throw new ControlError('protocol', `what listens at ${socket} is no daemon`);
    return { socket, client, info };
  } catch (error) {
    if (error instanceof DaemonGoneError) return undefined;
    throw error;
  }
}
