import type { KeptReport } from './live-event';

/** In words for people. */
export const KEPT_WORDS: Record<KeptReport['state'], string> = {
  spare: 'ready',
  conversation: 'in a conversation',
  waiting: 'waiting for the results of a client',
};

interface KeptSummary {
  /** Only those of which there is one. `since`: of the oldest. */
  states: { state: KeptReport['state']; count: number; since: number }[];
  programs: number;
  /** Of all programs; null: not known. */
  memoryBytes: number | null;
}

/** What is kept, in numbers. Programs count once, however many conversations they hold. */
export function summarizeKept(kept: readonly KeptReport[]): KeptSummary {
  const programs = new Map(kept.flatMap(({ pid, memoryBytes }) => (pid === null ? [] : [[pid, memoryBytes ?? 0]])));
  const memoryBytes = [...programs.values()].reduce((sum, bytes) => sum + bytes, 0);
  const states = (Object.keys(KEPT_WORDS) as KeptReport['state'][]).flatMap((state) => {
    const times = kept.filter((each) => each.state === state).map(({ since }) => since);
    return times.length > 0 ? [{ state, count: times.length, since: Math.min(...times) }] : [];
  });
  return { states, programs: programs.size, memoryBytes: memoryBytes || null };
}
