import { describeDevice, describeServer } from '../../devices/describe-device';
import type { CommonFlags } from '../command-options';
import { openProjectHere } from '../open-project';
import { formatTable, printNote, printReport, printWarnings } from '../terminal/print';

/** `devices`: the devices that agents of this project can use. Reads the configuration alone and needs no daemon. */
export function devices({ json, project: useProject }: CommonFlags): void {
  const { project } = openProjectHere({ useProject });
  printWarnings([...project.takeNotices(), ...project.warnings]);
  const found = project.devices.llms().map(describeDevice);
  const servers = project.toolServers.map(describeServer);
  printReport(json, { devices: found, servers }, () => {
    const rows = found.map(({ path, driverAlias, driverKind, model }) => [path, driverAlias, driverKind, model ?? '']);
    const ofServers = servers.map(({ path, kind, target }) => [path, kind, '', target]);
    return formatTable(['Device', 'Driver', 'Kind', 'Model'], [...rows, ...ofServers]);
  });
  if (found.length === 0 && !json) {
    printNote(`no provider is configured: add one to ${project.globalConfig}, or run: drivebay providers add <driver>`);
  }
}
