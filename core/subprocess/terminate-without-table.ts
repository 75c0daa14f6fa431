import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../errors';
import { sendSignal } from './send-signal';
import type { Doomed, Stage } from './terminate';

const PAUSE_MS = 50;

/**
 * Where no process table can be read: the group is what can be reached, on Windows the tree, by the system's own tool.
 */
export async function terminateWithoutTable(pid: number, doomed: Doomed, stages: readonly Stage[]): Promise<void> {
  const isWindows = process.platform === 'win32';
  const isOver = () => doomed.hasExited() && (isWindows || !hasMembers(pid));
  let elapsed = 0;
  for (const { signal, afterMs } of stages) {
    for (; elapsed < afterMs && !isOver(); elapsed += PAUSE_MS) await pause(PAUSE_MS);
    if (isOver()) return;
    if (isWindows) await killTree(pid, signal);
    else sendSignal(-pid, signal);
  }
  await doomed.exited;
}

function hasMembers(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return true;
}

function killTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const treeKill = require('tree-kill') as typeof import('tree-kill');
  return new Promise((resolve) => treeKill(pid, signal, () => resolve()));
}
