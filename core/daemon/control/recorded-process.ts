import type { ProcessEnd, ProcessEvent } from '../../record/process-event';
import type { ProcessRecord } from '../../record/process-record';
import type { ProcessSummary } from '../../record/process-summary';
import { readProcessEvents } from '../../record/read-processes';
import type { Agents } from '../agents';

/** A process by its pid or its uuid, whether or not it still runs. */
export interface RecordedProcess {
  pid: number;
  /** One whose record is not all on disk yet. */
  record?: ProcessRecord;
  end?: ProcessEnd | undefined;
  /** Up to now. */
  events(): AsyncIterable<ProcessEvent>;
}

export function findRecorded({ store }: Agents, state: string, id: number | string): RecordedProcess | undefined {
  const isWanted = ({ pid, uuid }: Pick<ProcessSummary, 'pid' | 'uuid'>) => pid === id || uuid === id;
  const record = store.unwritten().find(({ view }) => isWanted(view));
  if (record) return { pid: record.pid, record, events: () => store.events(record) };
  const known = store.list().find(isWanted);
  return known && { pid: known.pid, end: known.end, events: () => readProcessEvents(state, known.pid) };
}
