import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
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

export async function startDaemonHere(): Promise<FoundDaemon> {
  const { startDaemon } = await import('../../daemon/client/start-daemon');
  return startDaemon(pathsHere());
}

/** Throws where the versions of the daemon and of this program cannot talk. */
export async function sayVersion({ info }: FoundDaemon): Promise<void> {
  const { versionNotice } = await import('../../daemon/client/agreement');
  const notice = versionNotice(info);
  if (notice !== undefined) printNote(`note: ${notice}`);
}
