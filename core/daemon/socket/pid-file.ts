import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localProcesses } from '../../subprocess/local-processes';
import { type DaemonIdentity, formatIdentity, parseIdentity } from '../../subprocess/run-marker';

// `daemon.pid` beside the socket: the process id, and on a second line what tells it from a later process of the same
// id. It is for a daemon that does not answer; whether one runs is told by its socket.

export function writePidFile(socket: string): void {
  const identity = formatIdentity(localProcesses().identity);
  writeFileSync(fileBeside(socket), `${process.pid}\n${identity}\n`, { mode: 0o600 });
}

/** The process that wrote it, where that still runs. */
export function readPidFile(socket: string): DaemonIdentity | undefined {
  let text: string;
  try {
    text = readFileSync(fileBeside(socket), 'utf8');
  } catch {
    return undefined;
  }
  const identity = parseIdentity(text.split('\n')[1] ?? '');
  return identity && localProcesses().isRunning(identity) ? identity : undefined;
}

export function removePidFile(socket: string): void {
  if (readPidFile(socket)?.pid === process.pid) rmSync(fileBeside(socket), { force: true });
}

function fileBeside(socket: string): string {
  return join(dirname(socket), 'daemon.pid');
}
