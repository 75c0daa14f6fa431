import { describeDevice } from '../../daemon/project/describe-device';
import { open } from '../open';
import { printAnswer, printJson, printNote, printWarnings } from '../terminal/print';
import { formatTable } from '../terminal/table';

export interface DevicesOptions {
  json?: boolean;
  project: boolean;
}

/** `devices`: what agents of this project can use. Looks at the configuration alone, and needs no daemon. */
export async function devices({ json, project: useProject }: DevicesOptions): Promise<void> {
  const { project } = await open({ useProject });
  printWarnings([...project.notices, ...project.warnings]);
  const found = project.devices.llms().map(describeDevice);
  if (json) {
    printJson({ devices: found });
    return;
  }
  const rows = found.map(({ path, driver, driverKind, model }) => [path, driver, driverKind, model ?? '']);
  printAnswer(formatTable(['Device', 'Driver', 'Kind', 'Model'], rows));
  if (found.length === 0) printNote(`no provider is configured: add one to ${project.paths.globalConfig}`);
}
