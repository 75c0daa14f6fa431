import type { DriverContext } from 'drivebay/plugin';
import { ASK_AGAIN_AFTER_MS, askProgram, flagsIn } from '../_shared/cli/ask-program';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import { KEYS } from './environment';

const LIMIT_MS = 5_000;
/** They shut a chat off from the machine. A version that does not know one of them refuses to start, which is better. */
const SHUTTING = ['--tools', '--safe-mode'];

/** Flags that not every version has are only passed where they are among these. */
export interface Capabilities {
  /** Those that the program's help names. Where it could not be read, those without which a chat would not be safe. */
  flags: ReadonlySet<string>;
  /** Why nothing is known. Absent when the help could be read. */
  failure?: string;
  /** In how many ms it is worth to ask again. Absent when the help could be read. */
  askAgainMs?: number;
}

/** Asks the program for its help. Never rejects. */
export async function probeCapabilities(context: Pick<DriverContext, 'spawn'>, binary: string): Promise<Capabilities> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  // An update must not swap the program under a running daemon.
  const env = { ...plainEnvironment(KEYS), DISABLE_AUTOUPDATER: '1' };
  try {
    const { code, output } = await askProgram(context, binary, ['-p', '--help'], signal, env);
    // That says nothing of the program.
    if (code === null) return { flags: new Set(SHUTTING), failure: 'it was ended by a signal', askAgainMs: 0 };
    if (code !== 0) throw new Error(`it ended with exit code ${code}`);
    return { flags: flagsIn(output) };
  } catch (error) {
    const failure = signal.aborted ? `no answer within ${LIMIT_MS / 1000} s` : (error as Error).message;
    return { flags: new Set(SHUTTING), failure, askAgainMs: ASK_AGAIN_AFTER_MS };
  }
}

export function capabilityMetadata({ flags }: Capabilities): Record<string, string> {
  return {
    cap_partial_messages: String(flags.has('--include-partial-messages')),
    cap_add_dir: String(flags.has('--add-dir')),
    cap_permission_mode: String(flags.has('--permission-mode')),
  };
}

/** What a run has to do without because the program cannot do it: why, and what to do about it. */
export function missingFlags(
  { flags, failure }: Capabilities,
  { permissionMode, hasSkills, hasTools }: { permissionMode: string; hasSkills: boolean; hasTools: boolean },
  name: string,
): string[] {
  if (failure !== undefined) {
    const effect = 'answers arrive whole, and permission_mode and the folders of skills are not passed';
    return [`"${name} -p --help" failed (${failure}): ${effect}; run it by hand; drivebay asks again within a minute`];
  }
  const noMode = 'it is not passed, and its permission questions get no answer';
  const effects: [flag: string, isNeeded: boolean, effect: string, way?: string][] = [
    ['--include-partial-messages', true, 'answers arrive whole'],
    ['--permission-mode', permissionMode !== '', noMode, ', or set permission_mode: ""'],
    ['--add-dir', hasSkills, 'it may not read the folders of skills'],
    ['--tools', !hasTools, 'its own tools stay on in gateway chats'],
  ];
  return effects
    .filter(([flag, isNeeded]) => isNeeded && !flags.has(flag))
    .map(([flag, , effect, way = '']) => `${name} has no ${flag}: ${effect}; run: ${name} update${way}`);
}
