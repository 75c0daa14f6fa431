import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
import { messageOf } from '../../errors';
import { pathsHere } from '../here';
import { printNote } from '../terminal/print';

export async function findDaemonHere(): Promise<FoundDaemon | undefined> {
  return (await findDaemon(pathsHere())).daemon;
}

/** The same. Says on stderr when the daemon is of another version. */
export async function runningDaemon(): Promise<FoundDaemon | undefined> {
  const daemon = await findDaemonHere();
  if (daemon) await sayVersion(daemon);
  return daemon;
}

/** What only a daemon knows, for a report that is of use without it. `what`: the words for it, where the daemon fails. */
export async function askIfRunning<Answer>(path: string, what: string): Promise<Answer | undefined> {
  try {
    return await (await findDaemonHere())?.client.get<Answer>(path);
  } catch (error) {
    printNote(`note: the daemon does not say ${what}: ${messageOf(error)}`);
    return undefined;
  }
}

export async function startDaemonHere(): Promise<FoundDaemon> {
  const { startDaemon } = await import('../../daemon/client/start-daemon');
  return startDaemon(pathsHere());
}

/**
 * Runs `work` with the daemon that runs, or with a new one. A new one ends again where the work fails, as with a configuration
 * that has mistakes.
 */
export async function withDaemon<T>(running: FoundDaemon | undefined, work: (daemon: FoundDaemon) => Promise<T>) {
  const daemon = running ?? (await startDaemonHere());
  try {
    return await work(daemon);
  } catch (error) {
    if (!running) await endUnused();
    throw error;
  }
}

/** Ends a daemon that has just started. Another command may use it already: then it stays. */
export async function endUnused(): Promise<void> {
  const { stopDaemon } = await import('../../daemon/client/stop-daemon');
  try {
    const { info } = (await findDaemonHere()) ?? {};
    if (info?.processes === 0 && info.listeners.length === 0) await stopDaemon(pathsHere(), { say: printNote });
  } catch (error) {
    printNote(`warning: ${messageOf(error)}`);
  }
}

/** Throws where the versions of the daemon and of this program cannot talk. */
export async function sayVersion({ info }: FoundDaemon): Promise<void> {
  const { versionNotice } = await import('../../daemon/client/agreement');
  const notice = versionNotice(info);
  if (notice !== undefined) printNote(`note: ${notice}`);
}
