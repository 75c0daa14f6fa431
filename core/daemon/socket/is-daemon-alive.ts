import { localProcesses } from '../../subprocess/local-processes';
import { parseIdentity } from '../../subprocess/run-marker';

/** Whether the daemon runs that a record names. */
export function isDaemonAlive(daemon: string): boolean {
  const identity = parseIdentity(daemon);
  return identity !== undefined && localProcesses().isRunning(identity);
}
