import { rm, stat } from 'node:fs/promises';
import { removeDrafts, writeWholeLater } from '../write-whole';
import type { ProcessFiles } from './process-files';
import { readIndex } from './process-index';
import type { ProcessSummary } from './process-summary';
import { unlessGone } from './read-lines';

/** How long, and how much, records of ended processes are kept. */
export const RETENTION = { ageMs: 30 * 24 * 60 * 60 * 1000, bytes: 200 * 1024 * 1024 };
export type Retention = typeof RETENTION;

/** A process that has ended, with the size of its record. */
interface EndedRecord {
  summary: ProcessSummary;
  bytes: number;
}

/**
 * Drops the records that need not be kept, and the lines of the index that are out of date or without a record. The new
 * index replaces the old one at once, so a reader sees either of them whole. Nothing may be appended to the index
 * meanwhile.
 */
export async function pruneProcesses(files: ProcessFiles, retention: Retention): Promise<void> {
  const { summaries, lines } = readIndex(files.index);
  const useless: string[] = [];
  const ended: EndedRecord[] = [];
  const pids = files.pids();
  const present = new Set(pids);
  // It stays, because the next pid is one more: no pid is used twice.
  const highest = pids.at(-1);
  for (const pid of pids) {
    const file = files.record(pid);
    const { size, mtimeMs } = await unlessGone(stat(file), { size: 0, mtimeMs: 0 });
    const summary = summaries.get(pid);
    if (summary?.end) ended.push({ summary, bytes: size });
    // A daemon was killed while it wrote the first line.
    else if (!summary && pid !== highest && mtimeMs < Date.now() - retention.ageMs) useless.push(file);
  }
  for (const pid of summaries.keys()) if (!present.has(pid)) summaries.delete(pid);
  const gone = outdated(ended, retention).filter((pid) => pid !== highest);
  for (const pid of gone) summaries.delete(pid);
  if (summaries.size < lines) {
    await writeWholeLater(files.index, [...summaries.values()].map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  removeDrafts(files.directory);
  // After the index, so that each of its lines leads to a record.
  for (const file of [...useless, ...gone.map((pid) => files.record(pid))]) await rm(file, { force: true });
}

/** The pids of the records that are too old, then of the oldest until the rest fits. */
function outdated(records: EndedRecord[], { ageMs, bytes }: Retention): number[] {
  const pids: number[] = [];
  let left = records.reduce((sum, record) => sum + record.bytes, 0);
  const endOf = ({ summary }: EndedRecord) => summary.endedAt ?? summary.createdAt;
  for (const record of records.toSorted((a, b) => endOf(a) - endOf(b))) {
    if (endOf(record) >= Date.now() - ageMs && left <= bytes) break;
    pids.push(record.summary.pid);
    left -= record.bytes;
  }
  return pids;
}
