import type { KeptReport } from '../record/live-event';
import { localProcesses } from '../subprocess/local-processes';
import type { LlmDevice } from './device';

export type KeptMemory = ReadonlyMap<number, number>;

type Keeper = Pick<LlmDevice, 'kept'>;

/** The memory of the programs that devices keep, by their pids. Never rejects. */
export function readKeptMemory(devices: readonly Keeper[]): Promise<KeptMemory> {
  return readGroupMemory(new Set(devices.flatMap(({ kept }) => kept.flatMap(({ pid }) => pid ?? []))));
}

export function describeKept({ kept }: Keeper, memory: KeptMemory): KeptReport[] {
  return kept.map(({ state, since, pid = null }) => {
    return { state, since, pid, memoryBytes: (pid === null ? undefined : memory.get(pid)) ?? null };
  });
}

/** The physical memory of process groups by their leaders, in bytes. Ended groups are absent. Without a process table, the map is empty. */
async function readGroupMemory(leaders: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
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
