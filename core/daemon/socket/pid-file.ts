import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDiskFull } from '../../paths';
import { writeWhole } from '../../write-whole';
import { localProcesses } from '../../subprocess/local-processes';
import { type DaemonIdentity, formatIdentity, parseIdentity } from '../../subprocess/run-marker';

// `daemon.pid` beside the socket: the process id, and on a second line the identity that tells this process from a later
// one with the same id. It serves to end a daemon that does not answer; only the socket tells whether a daemon runs.

/** A full disk takes no file, and the daemon works without it. */
export function writePidFile(socket: string): void {
  const identity = formatIdentity(localProcesses().identity);
  const file = fileBeside(socket);
  try {
    writeWhole(file, `${process.pid}\n${identity}\n`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    rmSync(file, { force: true });
  }
}

export function readPidFile(socket: string): DaemonIdentity | undefined {
  let text: string;
  try {
    text = readFileSync(fileBeside(socket), 'utf8');
  } catch {
    return undefined;
  }
  return runningDaemon(text.split('\n')[1] ?? '');
}

export function removePidFile(socket: string): void {
  if (readPidFile(socket)?.pid === process.pid) rmSync(fileBeside(socket), { force: true });
}

export function isDaemonAlive(daemon: string): boolean {
  return runningDaemon(daemon) !== undefined;
}

function runningDaemon(text: string): DaemonIdentity | undefined {
  const identity = parseIdentity(text);
  return identity && localProcesses().isRunning(identity) ? identity : undefined;
}

function fileBeside(socket: string): string {
  return join(dirname(socket), 'daemon.pid');
}
