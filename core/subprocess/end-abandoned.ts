import { setTimeout as pause } from 'node:timers/promises';
import { localProcesses } from './local-processes';
import type { DaemonIdentity } from './run-marker';
import { sendSignal } from './signals';

const LOOK_MS = 50;
/** A program at a terminal takes SIGHUP for the end of the terminal, restores it and ends. */
const STAGES = [
  { signal: 'SIGHUP', limitMs: 3_000 },
  { signal: 'SIGTERM', limitMs: 3_000 },
  { signal: 'SIGKILL', limitMs: 1_000 },
] as const;

/** Ends a program that lost what had started it. Its children are left alone: what they are for is not known. */
export async function endAbandoned(program: DaemonIdentity): Promise<void> {
  for (const { signal, limitMs } of STAGES) {
    if (!localProcesses().isRunning(program)) return;
    sendSignal(program.pid, signal);
    await untilGone(program, limitMs);
  }
}

export async function untilGone(program: DaemonIdentity, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (localProcesses().isRunning(program) && performance.now() < until) {
    await pause(LOOK_MS, undefined, { ref: false });
  }
}
