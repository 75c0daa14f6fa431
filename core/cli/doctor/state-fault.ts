import { join } from 'node:path';
import { trustFolder } from '../../config/trust-store';
import { daemonLogFile } from '../../daemon/daemon-log';
import { launchFolder } from '../../daemon/launched-programs';
import { isFolder } from '../../make-folder';
import { ledgerDirectory, ledgerFile } from '../../record/ledger-files';
import { ProcessFiles } from '../../record/process-files';
import { fileFault, folderFault } from '../folder-fault';

/** What a daemon replaces in the state folder when it starts. */
const REPLACED = ['daemon.sock', 'daemon.pid', 'daemon.lock'];

/**
 * Why something in a state folder cannot be written, although the folder can. A command that ran as root leaves such files: the
 * daemon does not start then, or keeps no usage. A file that is replaced may have any owner. One that grows may not.
 */
export async function stateFault(state: string): Promise<string | undefined> {
  const { directory, index } = new ProcessFiles(state);
  for (const folder of [ledgerDirectory(state), directory, trustFolder(state), launchFolder(state)]) {
    const fault = await folderFault(folder);
    if (fault) return fault.reason;
  }
  const grown = [daemonLogFile(state), ledgerFile(state, Date.now()), index];
  const replaced = REPLACED.map((name) => join(state, name)).filter(isFolder);
  const reasons = await Promise.all([...replaced, ...grown].map(fileFault));
  return reasons.find((reason) => reason !== undefined);
}
