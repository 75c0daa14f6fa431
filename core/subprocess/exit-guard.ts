import { localProcesses } from './local-processes';
import type { ProcessTree } from './process-tree';
import { sendSignal } from './send-signal';

const guarded = new Set<ProcessTree>();
let isListening = false;

/** However this program ends, short of SIGKILL: nothing of the tree outlives it. */
export function guardUntilExit(tree: ProcessTree): void {
  guarded.add(tree);
  if (isListening) return;
  isListening = true;
  process.on('exit', endAll);
}

export function unguard(tree: ProcessTree): void {
  guarded.delete(tree);
}

function endAll(): void {
  if (guarded.size === 0) return;
  const { table } = localProcesses();
  // What forks while it is being ended is found by the second look.
  for (let round = 0; round < 3; round += 1) {
    const rows = table?.readSync() ?? [];
    for (const tree of guarded) {
      if (round === 0 && tree.leader !== undefined) sendSignal(-tree.leader, 'SIGKILL');
      for (const { pid } of tree.members(rows)) sendSignal(pid, 'SIGKILL');
    }
  }
}
