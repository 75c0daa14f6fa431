import { productVersion } from '../../package';
import { CONTROL_API, type DaemonInfo } from '../control/daemon-info';
import type { Fingerprint } from '../control/protocol';
import { ControlError } from './control-client';

/** One line when daemon and program differ in their version. Throws where the two cannot talk. */
export function versionNotice(info: DaemonInfo): string | undefined {
  if (info.version === productVersion && info.api === CONTROL_API) return undefined;
  const difference = `the daemon runs version ${info.version}, this is ${productVersion}`;
  if (info.api === CONTROL_API) return `${difference}; ${howToRestart(info)}`;
  throw new ControlError('version', difference, howToRestart(info));
}

/** One line when the daemon started with another configuration, or other variables, than this program sees. */
export async function changeNotice(
  info: DaemonInfo,
  fingerprint: Fingerprint,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // Speed: a command that compares only versions need not load the hashes.
  const { differences } = await import('../project/fingerprint');
  const changed = differences(fingerprint, environment);
  if (changed.length === 0) return undefined;
  return `the daemon started with something else in ${changed.join(', ')}; ${howToRestart(info)}`;
}

export function howToRestart({ mode, pid }: Pick<DaemonInfo, 'mode' | 'pid'>): string {
  if (mode === 'background') return 'run: drivebay daemon restart';
  const command = mode === 'serve' ? 'drivebay serve' : 'drivebay daemon run';
  return `end \`${command}\` (pid ${pid}) with Ctrl-C and start it again`;
}
