import { codeOf } from '../errors';
import type { Logger } from '../contract/api';
import { localProcesses } from './local-processes';
import type { ProcessRow } from './process-table';
import { ProcessTree } from './process-tree';
import { parseMarker, type DaemonIdentity } from './run-marker';
import { terminate } from './terminate';

const STAGES = [
  { signal: 'SIGTERM', afterMs: 0 },
  { signal: 'SIGKILL', afterMs: 2_000 },
] as const;

/**
 * Ends what the runs of a daemon left behind that was itself killed. No record is kept for it: the marker in a process's
 * environment says which daemon it belongs to, and the process table whether that is still there. So a running daemon's
 * processes are never touched, whoever started it.
 */
export async function reapLeftovers(log: Logger): Promise<void> {
  const { table, scanner } = localProcesses();
  if (!table || !scanner) return;
  const rows = await scanner.scan();
  const markers = new Set<string>();
  for (const row of rows) {
    const marker = row.marker();
    if (marker === undefined) continue;
    const daemon = parseMarker(marker);
    if (daemon?.namespace === table.namespace && !isAlive(daemon, rows, table.tolerance)) markers.add(marker);
  }
  await Promise.all(
    [...markers].map(async (marker) => {
      const tree = new ProcessTree({ since: 0, marker });
      log.info(`ending ${tree.members(rows).length} process(es) that a crashed drivebay left behind`);
      const left = await terminate({ tree, exited: Promise.resolve(), hasExited: () => true }, STAGES, scanner);
      if (left.length > 0) log.warn(`processes of a crashed drivebay cannot be ended: ${left.join(', ')}`);
    }),
  );
}

function isAlive({ pid, start }: DaemonIdentity, rows: ProcessRow[], tolerance: number): boolean {
  const row = rows.find((other) => other.pid === pid);
  if (row) return Math.abs(row.start - start) <= tolerance;
  // A system may hide the processes of other users.
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return false;
}
