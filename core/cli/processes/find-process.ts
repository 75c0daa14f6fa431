import { isDaemonAlive } from '../../daemon/socket/is-daemon-alive';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { HintedError } from '../../errors';
import { findPaths } from '../../paths';
import type { ProcessSummary } from '../../record/process-summary';
import { readProcesses } from '../../record/read-processes';
import { runningDaemon } from '../daemon/running-daemon';
import { workingDirectory } from '../working-directory';

export interface Processes {
  state: string;
  daemon: FoundDaemon | undefined;
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
  /** The pids of those whose record is not all on disk: the daemon has the rest. */
  unwritten: ReadonlySet<number>;
}

/** Reads the records on disk; what is not there yet is asked from the daemon, where one runs. */
export async function readAllProcesses(): Promise<Processes> {
  const { state } = findPaths(process.env, workingDirectory());
  const daemon = await runningDaemon();
  // In this order: whatever is no longer with the daemon is on disk.
  const own = daemon && daemon.info.unwritten !== 0 ? await askUnwritten(daemon) : [];
  const recorded = readProcesses(state, isDaemonAlive);
  const unwritten = new Set(own.map(({ pid }) => pid));
  if (own.length === 0) return { state, daemon, list: recorded, unwritten };
  const list = new Map([...recorded, ...own].map((each) => [each.pid, each]));
  return { state, daemon, list: [...list.values()].sort((a, b) => a.pid - b.pid), unwritten };
}

/** Loaded where there is something to ask for. */
function askUnwritten(daemon: FoundDaemon): Promise<ProcessSummary[]> {
  const { unwrittenProcesses } = require('./unwritten-processes') as typeof import('./unwritten-processes');
  return unwrittenProcesses(daemon);
}

/** The process that an argument names, by its pid or its uuid. */
export async function findProcess(id: string): Promise<Processes & { found: ProcessSummary }> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) throw new HintedError(`there is no process ${id}`, 'see: drivebay ps -a');
  return { ...processes, found };
}
