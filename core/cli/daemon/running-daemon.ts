import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
import { findPaths } from '../../paths';
import { printNote } from '../terminal/print';
import { workingDirectory } from '../working-directory';

/** The daemon that runs, if one does. Says on stderr when it is of another version. */
export async function runningDaemon(): Promise<FoundDaemon | undefined> {
  const daemon = await findDaemonQuietly();
  if (daemon) sayVersion(daemon);
  return daemon;
}

/** The same, and nothing is said. */
export async function findDaemonQuietly(): Promise<FoundDaemon | undefined> {
  return (await findDaemon(findPaths(process.env, workingDirectory()))).daemon;
}

export function sayVersion({ info }: FoundDaemon): void {
  const { versionNotice } = require('../../daemon/client/agreement') as typeof import('../../daemon/client/agreement');
  const notice = versionNotice(info);
  if (notice !== undefined) printNote(`note: ${notice}`);
}
