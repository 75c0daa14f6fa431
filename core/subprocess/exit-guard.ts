import { localProcesses } from './local-processes';
import type { ProcessTree } from './process-tree';
import { sendSignal } from './signals';

const guarded = new Set<ProcessTree>();
let isListening = false;

/** Ends the tree when this program ends, however that happens, SIGKILL excepted. */
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
  const since = Math.min(...[...guarded].map((tree) => tree.since));
  // A process may start another one while it is being ended. The next round finds that.
  for (let round = 0; round < 3; round += 1) {
    const rows = table?.readSync(since) ?? [];
    for (const tree of guarded) {
      if (round === 0 && tree.leader !== undefined) sendSignal(-tree.leader, 'SIGKILL');
      for (const { pid } of tree.members(rows)) sendSignal(pid, 'SIGKILL');
    }
  }
}
