import type { ProcessSummary } from '../record/process-summary';
import { PROCESS_ROWS } from './apply-live-event';

/** Of all processes those that go on and the newest, the newest first. What is in memory counts more than what is on disk. */
export function newestRows(listed: ProcessSummary[], unwritten: ProcessSummary[]): ProcessSummary[] {
  const rows = new Map([...listed, ...unwritten].map((row) => [row.pid, row]));
  const newest = [...rows.values()].sort((a, b) => b.pid - a.pid);
  return newest.filter((row, index) => index < PROCESS_ROWS || !row.end);
}
