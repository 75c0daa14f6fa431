import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../errors';
import type { LocalProcesses } from './local-processes';
import { sendSignal } from './signals';
import { terminate, type Doomed, type StopStage } from './terminate';

/** Runs that end within the same window are swept together. */
const SWEEP_WINDOW_MS = 500;
const INTERRUPT_MS = 2_000;
const PAUSE_MS = 50;

/** The signals for a run that has to end, and when each is due. */
export function stagesOf(firstSignal: 'SIGINT' | 'SIGTERM', graceMs: number): StopStage[] {
  const stages: StopStage[] = [];
  if (graceMs > 0) stages.push({ signal: firstSignal, afterMs: 0 });
  if (graceMs > 0 && firstSignal === 'SIGINT') {
    stages.push({ signal: 'SIGTERM', afterMs: Math.min(INTERRUPT_MS, graceMs / 2) });
  }
  stages.push({ signal: 'SIGKILL', afterMs: graceMs });
  return stages;
}

/**
 * Resolves half a second to a second from now, at the same time for all runs. Processes that a program left behind when it
 * ended well may end by themselves until then, and one look at the process table is enough for many runs.
 */
export function sweepTime(): { reached: Promise<void>; cancel(): void } {
  const now = performance.now();
  const at = (Math.ceil(now / SWEEP_WINDOW_MS) + 1) * SWEEP_WINDOW_MS;
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<void>((resolve) => (timer = setTimeout(resolve, at - now)));
  return { reached, cancel: () => clearTimeout(timer) };
}

/** Ends a run and says which processes could not be ended. Never rejects. */
export async function endRun(
  pid: number,
  doomed: Doomed,
  stages: readonly StopStage[],
  { scanner }: LocalProcesses,
): Promise<{ left: number[]; failure?: string }> {
  let failure: string | undefined;
  if (scanner) {
    try {
      return { left: await terminate(doomed, stages, scanner) };
    } catch (error) {
      failure = `the process table cannot be read: ${messageOf(error)}`;
    }
  }
  await terminateWithoutTable(pid, doomed, stages);
  return { left: [], failure };
}

/** Where no process table can be read: reaches the process group, on Windows the tree that the system's tool finds. */
async function terminateWithoutTable(pid: number, doomed: Doomed, stages: readonly StopStage[]): Promise<void> {
  const isWindows = process.platform === 'win32';
  const isOver = () => doomed.hasExited() && (isWindows || sendSignal(-pid, 0) === 'gone');
  let elapsed = 0;
  for (const { signal, afterMs } of stages) {
    for (; elapsed < afterMs && !isOver(); elapsed += PAUSE_MS) await pause(PAUSE_MS);
    if (isOver()) return;
    if (isWindows) await killTree(pid, signal);
    else sendSignal(-pid, signal);
  }
  await doomed.exited;
}

async function killTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const { default: treeKill } = await import('tree-kill');
  return new Promise((resolve) => treeKill(pid, signal, () => resolve()));
}
