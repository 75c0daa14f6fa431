import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { pathFor } from './child-environment';
import { explainStart } from './explain-start';

/** A process that a Ctrl-Z or `kill -STOP` of its own group reached just now may go on within this time. */
const SETTLE_MS = 50;

/** A terminal sends these to every process in front of it, so the program has them already. */
const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const;

/** How a program ended: one of the two is null. */
interface ProgramEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

interface TerminalProgramParts {
  command: string;
  args: readonly string[];
  /** Changes to the environment of this program; undefined takes a variable away. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborted before the start: nothing is started, and the run rejects with the reason. */
  interrupt: AbortSignal;
  /** Called with its process id. */
  onStart: (pid: number) => void;
}

/**
 * Runs a program that has the terminal of this one: input, output, keys and job control are its own. Resolves when it has
 * ended. Signals that are sent to this program reach it.
 */
export async function runInTerminal({
  command,
  args,
  environment,
  interrupt,
  onStart,
}: TerminalProgramParts): Promise<ProgramEnd> {
  const { default: spawn } = await import('cross-spawn');
  // Node delivers signals between two turns of its loop: an earlier signal is delivered now.
  await setImmediate();
  interrupt.throwIfAborted();
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: pathFor(process.env.PATH, command) };
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  const child = spawn(command, [...args], { env, stdio: 'inherit' });
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', reject);
  });
  const release = takeSignals(child);
  try {
    if (child.pid !== undefined) onStart(child.pid);
    return await ended;
  } catch (error) {
    throw await explainStart(command, process.cwd(), error);
  } finally {
    release();
  }
}

/** Returns what undoes it. */
function takeSignals(child: ChildProcess): () => void {
  const isAtTerminal = process.stdin.isTTY;
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const fromTerminal = (signal: NodeJS.Signals): void => {
    // Without a terminal the signal came to this program alone.
    if (!isAtTerminal) pass(signal);
  };
  const listeners: [NodeJS.Signals, NodeJS.SignalsListener][] = [
    ...FROM_TERMINAL.map((signal): [NodeJS.Signals, NodeJS.SignalsListener] => [signal, fromTerminal]),
    ...PASSED_ON.map((signal): [NodeJS.Signals, NodeJS.SignalsListener] => [signal, pass]),
    ['SIGCHLD', () => stopWith(child)],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** The shell waits for this program: when the client alone stops itself, this one has to stop, too. */
function stopWith({ pid }: ChildProcess): void {
  if (pid === undefined || !isStopped(pid)) return;
  setTimeout(() => isStopped(pid) && process.kill(process.pid, 'SIGSTOP'), SETTLE_MS);
}

/** Whether a process is stopped, as by Ctrl-Z. */
function isStopped(pid: number): boolean {
  try {
    return stateOf(pid).startsWith('T');
  } catch {
    return false;
  }
}

function stateOf(pid: number): string {
  if (!existsSync('/proc/self/stat'))
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name before the state may hold spaces and brackets.
  return text.slice(text.lastIndexOf(')') + 2);
}
