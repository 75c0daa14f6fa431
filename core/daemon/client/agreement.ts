import { productVersion } from '../../package';
import { CONTROL_API } from '../control/api-version';
import type { DaemonInfo } from '../control/daemon-info';
import type { Fingerprint } from '../control/protocol';
import { ControlError } from './control-client';

/** One line when the daemon is of another version than this program. Throws where the two cannot talk. */
export function versionNotice(info: DaemonInfo): string | undefined {
  if (info.version === productVersion && info.api === CONTROL_API) return undefined;
  const said = `the daemon runs version ${info.version}, this is ${productVersion}`;
  if (info.api === CONTROL_API) return `${said}; ${howToRestart(info)}`;
  throw new ControlError('version', said, howToRestart(info));
}

/** One line when the daemon works with another configuration, or other variables, than this program sees. */
export function changeNotice(
  info: DaemonInfo,
  fingerprint: Fingerprint,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  // It hashes: who only compares versions need not load that.
  const { differences } = require('../project/fingerprint') as typeof import('../project/fingerprint');
  const changed = differences(fingerprint, environment);
  if (changed.length === 0) return undefined;
  return `the daemon started with something else in ${changed.join(', ')}; ${howToRestart(info)}`;
}

/** What restarts this daemon. */
export function howToRestart({ mode, pid }: DaemonInfo): string {
  if (mode === 'background') return 'run: drivebay daemon restart';
  const command = mode === 'serve' ? 'drivebay serve' : 'drivebay daemon run';
  return `end \`${command}\` (pid ${pid}) with Ctrl-C and start it again`;
}
