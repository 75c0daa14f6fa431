import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, HintedError } from '../../errors';
import { howToMove } from '../../paths';
import { shellWords } from '../../shell-words';
import { localProcesses } from '../../subprocess/local-processes';
import type { DaemonIdentity } from '../../subprocess/run-marker';
import { sendSignal } from '../../subprocess/signals';
import type { DaemonInfo } from '../control/daemon-info';
import { readPidFile } from '../socket/pid-file';
import { type DaemonFolders, mayBeOwn, socketPlaces } from '../socket/socket-places';
import { DaemonGoneError } from './control-client';
import { findDaemon, type FoundDaemon } from './find-daemon';

const LOOK_MS = 10;
/** A daemon ends within 30 s, unless a disk holds it. */
export const STOP_PATIENCE_MS = 40_000;
/** How long a daemon that does not answer has to react to a signal. */
const SIGNAL_PATIENCE_MS = 3_000;

interface StopOptions {
  say: (line: string) => void;
  /** A new daemon follows: `serve` commands wait for it instead of ending. */
  restart?: boolean;
  /** Called before a daemon is ended, also where none answers. When this rejects, a daemon that runs goes on. */
  check?: (info: DaemonInfo | undefined) => Promise<void>;
}

/** Ends a daemon. Resolves with its pid when it is gone; undefined: none ran. */
export async function stopDaemon(
  folders: DaemonFolders,
  { say, restart = false, check }: StopOptions,
): Promise<number | undefined> {
  let daemon: FoundDaemon | undefined;
  try {
    ({ daemon } = await findDaemon(folders));
  } catch (error) {
    if (!isBroken(error)) throw error;
    await check?.(undefined);
    return stopSilent(folders, say);
  }
  await check?.(daemon?.info);
  if (!daemon) return undefined;
  const { pid } = daemon.info;
  const identity = readPidFile(daemon.socket);
  const until = Date.now() + STOP_PATIENCE_MS;
  const signal = AbortSignal.timeout(STOP_PATIENCE_MS);
  try {
    // The stream ends when the daemon does.
    for await (const _ of daemon.client.stream('POST', '/v1/daemon/stop', { query: { restart }, signal })) continue;
  } catch (error) {
    if (isBroken(error)) return stopSilent(folders, say);
    if (!(error instanceof DaemonGoneError) && !signal.aborted) throw error;
  }
  if (!identity || (await isGone(identity, until - Date.now()))) return pid;
  say(`the daemon (pid ${pid}) does not end: killing it`);
  sendSignal(identity.pid, 'SIGKILL');
  if (await isGone(identity, SIGNAL_PATIENCE_MS)) return pid;
  throw new Error(`the daemon (pid ${pid}) cannot be ended`);
}

/** A plug-in may have broken what every answer needs. */
function isBroken(error: unknown): boolean {
  return ['no_answer', 'unreadable'].includes(codeOf(error) ?? '');
}

async function stopSilent(folders: DaemonFolders, say: (line: string) => void): Promise<number> {
  let held = '';
  for await (const socket of socketPlaces(folders)) {
    if (!mayBeOwn(socket)) continue;
    if (held === '' || !existsSync(held)) held = socket;
    const identity = readPidFile(socket);
    if (!identity) continue;
    const { pid } = identity;
    say(`the daemon (pid ${pid}) does not answer: ending it`);
    sendSignal(pid, 'SIGTERM');
    if (!(await isGone(identity, SIGNAL_PATIENCE_MS))) sendSignal(pid, 'SIGKILL');
    if (await isGone(identity, SIGNAL_PATIENCE_MS)) return pid;
    throw new Error(`the daemon (pid ${pid}) cannot be ended`);
  }
  throw new HintedError(
    `the program that listens at ${held} does not answer, and its pid is not known`,
    `to see which one it is: lsof ${shellWords([held])}; end it, or ${howToMove('state')}`,
  );
}

/** The file of the socket may go before the process does. */
async function isGone(identity: DaemonIdentity, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (localProcesses().isRunning(identity)) {
    if (Date.now() > until) return false;
    await pause(LOOK_MS);
  }
  return true;
}
