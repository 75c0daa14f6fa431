import { existsSync } from 'node:fs';
import { Launchd } from './launchd';
import { Systemd } from './systemd';

/** How the user sees the log of the service; undefined where none is installed. */
export function serviceLogCommand(environment: NodeJS.ProcessEnv): string | undefined {
  const installed = [new Systemd(environment), new Launchd(environment)].find(({ file }) => existsSync(file));
  return installed?.logCommand.join(' ');
}
