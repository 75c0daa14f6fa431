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
  let own: ProcessSummary[] = [];
  if (daemon && daemon.info.unwritten !== 0) {
    // Speed: zod loads only where the daemon has something to tell.
    const { unwrittenProcesses } = await import('./process-events');
    own = await unwrittenProcesses(daemon);
  }
  const list = mergeByPid(readProcesses(state, isDaemonAlive), own);
  return { state, daemon, list, unwritten: new Set(own.map(({ pid }) => pid)) };
}

export async function findProcess(id: string): Promise<FoundProcess> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) throw new HintedError(`there is no process ${id}`, 'see: drivebay ps -a');
  return { ...processes, found };
}
