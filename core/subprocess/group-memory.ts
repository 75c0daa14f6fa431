import { localProcesses } from './local-processes';

/** The physical memory of process groups by their leaders, in bytes. Groups that are gone are absent; all are where no table is. */
export async function readGroupMemory(leaders: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const memory = new Map<number, number>();
  const { scanner } = localProcesses();
  if (!scanner || leaders.size === 0) return memory;
  const rows = await scanner.scan().catch(() => []);
  for (const row of rows) {
    const leader = [row.pid, row.group].find((pid) => leaders.has(pid));
    if (leader !== undefined) memory.set(leader, (memory.get(leader) ?? 0) + row.memory());
  }
  return memory;
}
