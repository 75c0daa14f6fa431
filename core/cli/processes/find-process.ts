import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { HintedError } from '../../errors';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessSummary } from '../../record/process-summary';
import { readProcesses, readProcessEvents } from '../../record/read-processes';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';

export interface Processes {
  list: ProcessSummary[];
  state: string;
  daemon: FoundDaemon | undefined;
  /** The pids of processes whose record is not complete on disk: the daemon has the rest. */
  unwritten: ReadonlySet<number>;
}

export type FoundProcess = Processes & { found: ProcessSummary };

/** Reads the records on disk, and asks the daemon, where one runs, for the rest. */
export async function readAllProcesses(): Promise<Processes> {
  const { state } = pathsHere();
  const daemon = await runningDaemon();
  // The daemon comes first: a process that it no longer has is on disk.
  const own = daemon && daemon.info.unwritten !== 0 ? await unwrittenProcesses(daemon) : [];
  const list = await readProcesses(state, isDaemonAlive, own);
  return { list, state, daemon, unwritten: new Set(own.map(({ pid }) => pid)) };
}

export async function findProcess(id: string): Promise<FoundProcess> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) throw new HintedError(`there is no process ${id}`, 'see: drivebay ps -a');
  return { ...processes, found };
}

/** The processes that run, and those whose end is not in the index on disk yet. */
async function unwrittenProcesses({ client }: FoundDaemon): Promise<ProcessSummary[]> {
  return (await client.get<{ processes: ProcessSummary[] }>('/v1/processes', { unwritten: true })).processes;
}

/** The events of a process: from its record, or from the daemon that runs it or still writes the record. */
export async function* processEvents(
  { state, daemon, found: { pid, uuid, end }, unwritten }: FoundProcess,
  follow: boolean,
  signal?: AbortSignal,
): AsyncGenerator<ProcessEvent, void> {
  if (!daemon || !unwritten.has(pid)) yield* readProcessEvents(state, pid, end);
  else yield* daemon.client.stream<ProcessEvent>('GET', `/v1/processes/${uuid}/events`, { query: { follow }, signal });
}
