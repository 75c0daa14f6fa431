import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { workingDirectory } from '../here';
import { openProjectHere } from '../open-project';
import { printWarnings } from '../terminal/print';

/**
 * Opens the projects that the next daemon will serve: that of this folder, and those of open gateways. Throws a ConfigError
 * where one of them cannot be used. To be called while the daemon that runs can still go on.
 */
export async function checkBeforeStart(gateways: DaemonInfo['listeners'] = []): Promise<void> {
  const folders = new Set([workingDirectory(), ...gateways.flatMap(({ project }) => project ?? [])]);
  for (const folder of folders) {
    const { project } = openProjectHere({ useProject: true, folder });
    printWarnings(project.notices);
    await project.close();
  }
}
