import type { DriverContext } from 'drivebay/plugin';
import { childEnvironment } from './environment';

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
  // The help writes them in short, in the text about another option.
  systemPromptFile: ['--system-prompt-file', '--system-prompt[-file]'],
  appendSystemPromptFile: ['--append-system-prompt-file', '--append-system-prompt[-file]'],
} as const;

export type Capabilities = Readonly<Record<keyof typeof FLAGS, boolean>>;

export interface Probe {
  capabilities: Capabilities;
  /** Why nothing is known; absent when the help could be read. */
  failure?: string;
}

/** Asks the program for its help and looks which flags it has. Never rejects: what cannot be asked can do nothing. */
export async function probeCapabilities(context: Pick<DriverContext, 'spawn'>, binary: string): Promise<Probe> {
  const found = new Set<string>();
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    // A help text needs no time to say goodbye.
    const options = { ...childEnvironment({}), input: '', signal, graceMs: 0 };
    const program = await context.spawn(binary, ['-p', '--help'], options);
    for await (const line of program.lines()) collectFlags(line, found);
    const end = await program.exited;
    if (signal.aborted || end.code !== 0) throw new Error(`it ended with ${end.signal ?? `exit code ${end.code}`}`);
    return { capabilities: toCapabilities(found) };
  } catch (error) {
    const failure = signal.aborted ? `no answer within ${LIMIT_MS / 1000} s` : (error as Error).message;
    return { capabilities: toCapabilities(new Set()), failure };
  }
}

function collectFlags(line: string, found: Set<string>): void {
  for (const [flag] of line.matchAll(/--[a-z][a-z-]*(?:\[-[a-z]+\])?/g)) found.add(flag);
}

function toCapabilities(found: ReadonlySet<string>): Capabilities {
  const entries = Object.entries(FLAGS).map(([name, flags]) => [name, flags.some((flag) => found.has(flag))] as const);
  return Object.fromEntries(entries) as Capabilities;
}
