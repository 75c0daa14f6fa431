import { setTimeout as pause } from 'node:timers/promises';
import { sendSignal } from './signals';
import type { Doomed, StopStage } from './terminate';

const PAUSE_MS = 50;

/** Where no process table can be read: reaches the process group, on Windows the tree that the system's tool finds. */
export async function terminateWithoutTable(pid: number, doomed: Doomed, stages: readonly StopStage[]): Promise<void> {
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
