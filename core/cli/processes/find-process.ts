import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { isDaemonAlive } from '../../daemon/socket/pid-file';
import { HintedError } from '../../errors';
import type { ProcessSummary } from '../../record/process-summary';
import { mergeByPid, readProcesses } from '../../record/read-processes';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import type { FoundProcess, Processes } from './process-events';

/** Reads the records on disk, and asks the daemon, where one runs, for the rest. */
export async function readAllProcesses(): Promise<Processes> {
  const { state } = pathsHere();
  const daemon = await runningDaemon();
  // The daemon comes first: a process that it no longer has is on disk.
  const own = daemon && daemon.info.unwritten !== 0 ? await askUnwritten(daemon) : [];
  const recorded = readProcesses(state, isDaemonAlive);
  const unwritten = new Set(own.map(({ pid }) => pid));
  if (own.length === 0) return { state, daemon, list: recorded, unwritten };
  return { state, daemon, list: mergeByPid(recorded, own), unwritten };
}

/** Speed: `ps` loads zod only where the daemon has something to tell. */
async function askUnwritten(daemon: FoundDaemon): Promise<ProcessSummary[]> {
  const { unwrittenProcesses } = await import('./process-events');
  return unwrittenProcesses(daemon);
}

/** The process with this pid or uuid. */
export async function findProcess(id: string): Promise<FoundProcess> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) throw new HintedError(`there is no process ${id}`, 'see: drivebay ps -a');
  return { ...processes, found };
}
