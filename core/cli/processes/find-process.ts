import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { HintedError } from '../../errors';
import type { ProcessSummary } from '../../record/process-summary';
import { mergeByPid, readProcesses } from '../../record/read-processes';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';

interface Processes {
  state: string;
  daemon: FoundDaemon | undefined;
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
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
  const list = mergeByPid(readProcesses(state, isDaemonAlive), own);
  return { state, daemon, list, unwritten: new Set(own.map(({ pid }) => pid)) };
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
