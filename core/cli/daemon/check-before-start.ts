import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { HintedError } from '../../errors';
import { howToMove } from '../../paths';
import { folderFault } from '../folder-fault';
import { pathsHere, workingDirectory } from '../here';
import { openProjectHere } from '../open-project';
import { printWarnings } from '../terminal/print';

/**
 * Looks at the state folder, and opens the projects that the next daemon will serve: that of this folder, and those of open
 * gateways. Throws where one of them cannot be used. To be called while the daemon that runs can still go on.
 */
export async function checkBeforeStart(gateways: DaemonInfo['listeners'] = []): Promise<void> {
  const { state } = pathsHere();
  const fault = await folderFault(state);
  if (fault)
    throw new HintedError(`the state folder cannot be used: ${fault.reason}`, howToMove('state', fault.isFull));
  const folders = new Set([workingDirectory(), ...gateways.flatMap(({ project }) => project ?? [])]);
  for (const folder of folders) {
    const { project } = openProjectHere({ useProject: true, folder });
    printWarnings(project.notices);
    await project.close();
  }
}
