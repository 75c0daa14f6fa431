import { dayOf } from '../contract/wall-clock';
import { ledgerEntries, type UsageRange } from './ledger-entries';
import { addTurn, NO_TURNS, type UsageGrouping, type UsageSplit, type UsageTotals } from './usage';

export interface UsageSummary extends UsageTotals {
  /** The local day (`2026-11-21`), the project root, or a name; null for turns that have none. */
  key: string | null;
  /** Present when the sums are split: then each provider, client or model of a key has a row of its own; null for turns without. */
  part?: string | null;
}

export interface UsageQuery extends UsageRange {
  by: UsageGrouping;
  split?: UsageSplit;
}

/** Adds up the ledger of a state folder, ordered by key and part. Works without a daemon. */
export async function summarizeUsage(state: string, { by, split, from, to }: UsageQuery): Promise<UsageSummary[]> {
  const sums = new Map<string, UsageSummary>();
  for await (const entry of ledgerEntries(state, { from, to })) {
    const group = {
      key: by === 'day' ? dayOf(entry.time) : (entry[by] ?? null),
      part: split && (entry[split] ?? null),
    };
    const id = JSON.stringify(group);
    sums.set(id, { ...addTurn(sums.get(id) ?? NO_TURNS, entry), ...group });
  }
  const compare = (a: string | null = null, b: string | null = null) => (a ?? '').localeCompare(b ?? '');
  return [...sums.values()].sort((a, b) => compare(a.key, b.key) || compare(a.part, b.part));
}
