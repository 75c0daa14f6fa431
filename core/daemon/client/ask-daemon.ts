import { daemonInfoSchema } from '../control/protocol';
import { ControlClient, DaemonGoneError } from './control-client';
import type { FoundDaemon } from './find-daemon';

/** The daemon behind a socket. Undefined where nobody listens: what is there was left by a daemon that was killed. */
export async function askDaemon(socket: string): Promise<FoundDaemon | undefined> {
  const client = new ControlClient(socket);
  try {
    const info = await client.get('/v1/daemon', daemonInfoSchema);
    return { socket, client, info };
  } catch (error) {
    if (error instanceof DaemonGoneError) return undefined;
    throw error;
  }
}
