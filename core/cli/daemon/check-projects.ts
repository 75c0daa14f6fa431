import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { pathsHere } from '../here';
import { withProjectHere, type ProjectHereOptions } from '../open-project';
import { printWarnings } from '../terminal/print';

/**
 * Opens the projects that the next daemon will serve: those of open gateways, which come back, and that of this folder.
 * Throws a ConfigError where one of them cannot be used.
 */
export async function checkProjects(info?: DaemonInfo): Promise<void> {
  const { projectRoot } = pathsHere();
  const gateways = info?.listeners.filter(({ serves }) => serves === 'gateway') ?? [];
  for (const { project, useProject, pluginPath = process.env.DRIVEBAY_PLUGIN_PATH } of gateways) {
    const environment = { ...process.env, DRIVEBAY_PLUGIN_PATH: pluginPath };
    await check({ useProject, environment, ...(project !== null && { folder: project }) });
  }
  // A gateway in this folder may know plug-ins that this terminal does not.
  if (!gateways.some(({ project }) => project === (projectRoot ?? null))) await check({ useProject: true });
}

function check(options: ProjectHereOptions): Promise<void> {
  return withProjectHere(options, ({ project }) => printWarnings(project.takeNotices()));
}
