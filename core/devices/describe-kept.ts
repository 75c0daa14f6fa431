import type { KeptReport } from '../record/live-event';
import { readGroupMemory } from '../subprocess/group-memory';
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
