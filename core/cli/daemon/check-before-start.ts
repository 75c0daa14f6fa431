import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { HintedError } from '../../errors';
import { howToMove } from '../../paths';
import { folderFault } from '../folder-fault';
import { pathsHere } from '../here';
import { openProjectHere, type ProjectHereOptions } from '../open-project';
import { printWarnings } from '../terminal/print';

/**
 * Looks at the state folder, and opens the projects that the next daemon will serve: those of open gateways, which come
 * back, and that of this folder. Throws where one of them cannot be used. To be called while the daemon that runs can
 * still go on.
 */
export async function checkBeforeStart(info?: DaemonInfo): Promise<void> {
  const { state, projectRoot } = pathsHere();
  const fault = await folderFault(state);
  if (fault)
    throw new HintedError(`the state folder cannot be used: ${fault.reason}`, howToMove('state', fault.isFull));
  const gateways = info?.listeners.filter(({ serves }) => serves === 'gateway') ?? [];
  for (const { project, useProject = true, pluginPath = process.env.DRIVEBAY_PLUGIN_PATH } of gateways) {
    const environment = { ...process.env, DRIVEBAY_PLUGIN_PATH: pluginPath };
    await check({ useProject, environment, ...(project !== null && { folder: project }) });
  }
  // A gateway in this folder may know plug-ins that this terminal does not.
  if (!gateways.some(({ project }) => project === (projectRoot ?? null))) await check({ useProject: true });
}

async function check(options: ProjectHereOptions): Promise<void> {
  const { project } = openProjectHere(options);
  printWarnings(project.notices);
  await project.close();
}
