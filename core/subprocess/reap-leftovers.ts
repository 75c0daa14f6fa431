import type { Logger } from '../contract/api';
import { localProcesses } from './local-processes';
import type { OsProcess } from './os-process-table';
import { ProcessTree } from './process-tree';
import { type DaemonIdentity, formatIdentity, parseMarker } from './run-marker';
import { sendSignal } from './signals';
import { terminate } from './terminate';

const STAGES = [
  { signal: 'SIGTERM', afterMs: 0 },
  { signal: 'SIGKILL', afterMs: 2_000 },
] as const;

/**
 * Ends the processes that the runs of a killed daemon left behind. There is no record of them: the marker in the
 * environment of a process says which daemon it belongs to, and the process table whether that daemon still runs. So the
 * processes of a running daemon are never touched, whichever program started it.
 */
export async function reapLeftovers(log: Logger): Promise<void> {
  const { table, scanner } = localProcesses();
  if (!table || !scanner) return;
  const rows = await scanner.scan();
  const markers = new Set<string>();
  for (const row of rows) {
    const marker = row.marker();
    const daemon = marker === undefined ? undefined : parseMarker(marker);
    if (daemon?.namespace === table.namespace && !isAlive(daemon, rows, table.tolerance)) markers.add(marker!);
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

/** The processes that the runs of these daemons have started, and that still run. */
export async function programsOf(daemons: ReadonlySet<string>): Promise<number[]> {
  const rows = (await localProcesses().scanner?.scan()) ?? [];
  const isOf = (marker = '') => {
    const daemon = parseMarker(marker);
    return daemon !== undefined && daemons.has(formatIdentity(daemon));
  };
  return rows.filter((row) => isOf(row.marker())).map(({ pid }) => pid);
}

function isAlive({ pid, start }: DaemonIdentity, rows: OsProcess[], tolerance: number): boolean {
  const row = rows.find((other) => other.pid === pid);
  // A system may hide the processes of other users.
  return row ? Math.abs(row.start - start) <= tolerance : sendSignal(pid, 0) === 'forbidden';
}
