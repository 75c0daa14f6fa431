import { existsSync } from 'node:fs';
import { UsageError } from '../../errors';
import { launchd } from './launchd';
import type { ServiceManager } from './service-manager';
import { systemd } from './systemd';

/** The manager of this system. Throws a UsageError on an unknown system. */
export function findServiceManager(environment: NodeJS.ProcessEnv): ServiceManager {
  const { platform } = process;
  if (platform === 'linux') return systemd(environment);
  if (platform === 'darwin') return launchd(environment);
  throw new UsageError(`there is no service on ${platform}`, 'start it yourself: drivebay serve');
}

/** The command that shows the log of the service. Undefined where none is installed. */
export function serviceLogCommand(environment: NodeJS.ProcessEnv): string | undefined {
  const installed = [systemd(environment), launchd(environment)].find(({ file }) => existsSync(file));
  return installed?.logCommand.join(' ');
}
