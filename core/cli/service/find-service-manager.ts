import { UsageError } from '../../errors';
import { Launchd } from './launchd';
import type { ServiceManager } from './service-manager';
import { Systemd } from './systemd';

/** That of this system. Throws a UsageError where there is none that we know. */
export function findServiceManager(environment: NodeJS.ProcessEnv, platform = process.platform): ServiceManager {
  if (platform === 'linux') return new Systemd(environment);
  if (platform === 'darwin') return new Launchd(environment);
  throw new UsageError(`there is no service on ${platform}`, 'start it yourself: drivebay serve');
}
