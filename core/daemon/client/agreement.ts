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

/**
 * A line where the daemon runs with another configuration, and one where this program has other variables. `findMistakes`:
 * asked only where files have changed; resolves with the command that shows what is wrong in them now.
 */
export async function changeNotices(
  info: DaemonInfo,
  fingerprint: Fingerprint,
  environment: NodeJS.ProcessEnv,
  findMistakes?: () => Promise<string | undefined>,
): Promise<string[]> {
  // Speed: a command that compares only versions need not load the hashes.
  const { changedFiles, otherVariables } = await import('../project/fingerprint');
  const [files, variables] = [Object.keys(changedFiles(fingerprint)), otherVariables(fingerprint, environment)];
  const notices: string[] = [];
  if (files.length > 0) {
    const check = await findMistakes?.();
    const mistakes = check === undefined ? '' : `the configuration has mistakes now: ${check}; then `;
    notices.push(`the daemon has read something else in ${files.join(', ')}; ${mistakes}${HOW_TO_RELOAD}`);
  }
  if (variables.length > 0) {
    const values = `the daemon uses another ${variables.join(', ')} than this terminal has`;
    notices.push(`${values}; to use that of this terminal, ${howToRestart(info)}`);
  }
  return notices;
}

export const HOW_TO_RELOAD = 'run: drivebay reload';

export function howToRestart({ mode, pid }: Pick<DaemonInfo, 'mode' | 'pid'>): string {
  if (mode === 'background' || mode === 'service') return 'run: drivebay daemon restart';
  const command = mode === 'serve' ? 'drivebay serve' : 'drivebay daemon run';
  return `end \`${command}\` (pid ${pid}) with Ctrl-C and start it again`;
}
