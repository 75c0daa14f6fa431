import type { DriverContext } from 'drivebay/plugin';
import { askProgram, flagsIn } from '../_shared/cli/ask-program';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import { KEYS } from './environment';

const LIMIT_MS = 5_000;

/** The flags that are only passed to a program whose help names them. */
const FLAGS = {
  partialMessages: ['--include-partial-messages'],
  addDir: ['--add-dir'],
  permissionMode: ['--permission-mode'],
  tools: ['--tools'],
  safeMode: ['--safe-mode'],
  strictMcpConfig: ['--strict-mcp-config'],
  noSessionPersistence: ['--no-session-persistence'],
  // The help has the short forms, in the text about another option.
  systemPromptFile: ['--system-prompt-file', '--system-prompt[-file]'],
  appendSystemPromptFile: ['--append-system-prompt-file', '--append-system-prompt[-file]'],
} as const;

export type Capabilities = Readonly<Record<keyof typeof FLAGS, boolean>>;

export interface Probe {
  capabilities: Capabilities;
  /** Why nothing is known. Absent when the help could be read. */
  failure?: string;
}

/** Asks the program for its help and looks which flags it has. Never rejects: without a help there are no flags. */
export async function probeCapabilities(context: Pick<DriverContext, 'spawn'>, binary: string): Promise<Probe> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  // An update must not swap the program under a running daemon.
  const env = { ...plainEnvironment(KEYS), DISABLE_AUTOUPDATER: '1' };
  try {
    const { code, output } = await askProgram(context, binary, ['-p', '--help'], signal, env);
    if (code !== 0) throw new Error(`it ended with ${code === null ? 'a signal' : `exit code ${code}`}`);
    return { capabilities: capabilitiesOf(flagsIn(output)) };
  } catch (error) {
    const failure = signal.aborted ? `no answer within ${LIMIT_MS / 1000} s` : (error as Error).message;
    return { capabilities: capabilitiesOf(new Set()), failure };
  }
}

function capabilitiesOf(found: ReadonlySet<string>): Capabilities {
  const entries = Object.entries(FLAGS).map(([name, flags]) => [name, flags.some((flag) => found.has(flag))] as const);
  return Object.fromEntries(entries) as Capabilities;
}

export function capabilityMetadata(can: Capabilities): Record<string, string> {
  return {
    cap_partial_messages: String(can.partialMessages),
    cap_add_dir: String(can.addDir),
    cap_permission_mode: String(can.permissionMode),
  };
}

/** What a run has to do without because the program cannot do it: why, and what to do about it. */
export function missingFlags(
  { capabilities: can, failure }: Probe,
  { permissionMode, hasSkills, hasTools }: { permissionMode: string; hasSkills: boolean; hasTools: boolean },
  name: string,
): string[] {
  if (failure !== undefined) {
    const effect = 'answers arrive whole, and permission_mode and the folders of skills are not passed';
    return [`"${name} -p --help" failed (${failure}): ${effect}; run it by hand, then restart drivebay`];
  }
  const noMode = 'it is not passed, and its permission questions get no answer';
  const effects: [flag: string, isMissed: boolean, effect: string, way?: string][] = [
    ['--include-partial-messages', !can.partialMessages, 'answers arrive whole'],
    ['--permission-mode', permissionMode !== '' && !can.permissionMode, noMode, ', or set permission_mode: ""'],
    ['--add-dir', hasSkills && !can.addDir, 'it may not read the folders of skills'],
    ['--tools', !hasTools && !can.tools, 'its own tools stay on in gateway chats'],
  ];
  return effects
    .filter(([, isMissed]) => isMissed)
    .map(([flag, , effect, way = '']) => `${name} has no ${flag}: ${effect}; run: ${name} update${way}`);
}
