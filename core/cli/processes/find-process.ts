import { basename } from 'node:path';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { HintedError } from '../../errors';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessSummary } from '../../record/process-summary';
import { mergeByPid, readProcesses, readProcessEvents, unindexedProcesses } from '../../record/read-processes';
import { HOW_TO_READ, UnreadCount, type UnreadLines } from '../../record/unread-lines';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';

export interface Processes {
  state: string;
  daemon: FoundDaemon | undefined;
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
  /** The pids of processes whose record is not complete on disk: the daemon has the rest. */
  unwritten: ReadonlySet<number>;
  /** Lines of the index that cannot be read. Their processes are known by their records, but for these files. */
  unread: { lines: UnreadLines[]; records: string[] };
}

export type FoundProcess = Processes & { found: ProcessSummary };

/** Reads the records on disk, and asks the daemon, where one runs, for the rest. */
export async function readAllProcesses(): Promise<Processes> {
  const { state } = pathsHere();
  const daemon = await runningDaemon();
  // The daemon comes first: a process that it no longer has is on disk.
  const own = daemon && daemon.info.unwritten !== 0 ? await unwrittenProcesses(daemon) : [];
  const count = new UnreadCount();
  const indexed = mergeByPid(readProcesses(state, isDaemonAlive, count), own);
  const { found, unread } = await unindexedProcesses(state, indexed, isDaemonAlive);
  return {
    state,
    daemon,
    list: mergeByPid(indexed, found),
    unwritten: new Set(own.map(({ pid }) => pid)),
    unread: { lines: count.list(), records: unread },
  };
}

export async function findProcess(id: string): Promise<FoundProcess> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) {
    const record = processes.unread.records.find((file) => basename(file, '.ndjson') === id);
    if (record !== undefined) throw new HintedError(`process ${id} cannot be read from ${record}`, HOW_TO_READ);
    throw new HintedError(`there is no process ${id}`, 'see: drivebay ps -a');
  }
  return { ...processes, found };
}

/** The processes that run, and those whose end is not in the index on disk yet. */
async function unwrittenProcesses({ client }: FoundDaemon): Promise<ProcessSummary[]> {
  return (await client.get<{ processes: ProcessSummary[] }>('/v1/processes', { unwritten: true })).processes;
}

/** The events of a process: from its record, or from the daemon that runs it or still writes the record. */
export async function* processEvents(
  { state, daemon, found: { pid, uuid }, unwritten }: FoundProcess,
  follow: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  if (!daemon || !unwritten.has(pid)) yield* readProcessEvents(state, pid);
  else yield* daemon.client.stream<ProcessEvent>('GET', `/v1/processes/${uuid}/events`, { query: { follow }, signal });
}
