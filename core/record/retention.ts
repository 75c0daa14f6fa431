import type { ProcessSummary } from './process-summary';

/** How long, and how much, records of ended processes are kept. */
export interface Retention {
  ageMs: number;
  bytes: number;
}

export const RETENTION: Retention = { ageMs: 30 * 24 * 60 * 60 * 1000, bytes: 200 * 1024 * 1024 };

/** A process that has ended, with the size of its record. */
export interface Kept {
  summary: ProcessSummary;
  bytes: number;
}

/** The pids whose records have to go: the old ones, then the oldest until the rest fits. */
export function outdated(records: Kept[], { ageMs, bytes }: Retention, now: number): Set<number> {
  const pids = new Set<number>();
  let left = records.reduce((sum, record) => sum + record.bytes, 0);
  const endOf = ({ summary }: Kept) => summary.endedAt ?? summary.createdAt;
  for (const record of records.toSorted((a, b) => endOf(a) - endOf(b))) {
    if (endOf(record) >= now - ageMs && left <= bytes) break;
    pids.add(record.summary.pid);
    left -= record.bytes;
  }
  return pids;
}
