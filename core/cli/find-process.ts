import { isDaemonAlive } from '../daemon/is-daemon-alive';
import type { FoundDaemon } from '../daemon/client/find-daemon';
import { findPaths } from '../paths';
import { isSummary, type ProcessSummary } from '../state/process-summary';
import { readProcesses } from '../state/read-processes';
import { z } from 'zod';
import { workingDirectory } from './open';
import { runningDaemon } from './use-daemon';

export interface Processes {
  state: string;
  daemon: FoundDaemon | undefined;
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
}

const answerSchema = z.object({ processes: z.array(z.custom<ProcessSummary>(isSummary)) });

/** Reads the records on disk; what runs now is asked from the daemon, where one runs. */
export async function readAllProcesses(): Promise<Processes> {
  const { state } = findPaths(process.env, workingDirectory());
  const daemon = await runningDaemon();
  const [recorded, living] = await Promise.all([
    readProcesses(state, isDaemonAlive),
    daemon?.client.get('/v1/processes', answerSchema).then(({ processes }) => processes) ?? [],
  ]);
  const now = new Map(living.map((each) => [each.pid, each]));
  const known = new Set(recorded.map(({ pid }) => pid));
  const list = [
    ...recorded.map((each) => (each.end ? each : (now.get(each.pid) ?? each))),
    ...living.filter(({ pid }) => !known.has(pid)),
  ];
  if (daemon && list.some(({ pid, end }) => !end && !now.has(pid))) {
    // It has ended, and its last line was not on disk yet. Or it is of another daemon, which this one knows to tell.
    const { processes } = await daemon.client.get('/v1/processes', answerSchema, { all: true });
    return { state, daemon, list: processes };
  }
  return { state, daemon, list: list.sort((a, b) => a.pid - b.pid) };
}

/** A process that cannot be shown, awaited or ended. */
class NoProcessError extends Error {
  readonly hint = 'see: drivebay ps -a';
}

/** The process that an argument names, by its pid or its uuid. */
export async function findProcess(id: string): Promise<Processes & { found: ProcessSummary }> {
  const processes = await readAllProcesses();
  const found = processes.list.find(({ pid, uuid }) => String(pid) === id || uuid === id);
  if (!found) throw new NoProcessError(`there is no process ${id}`);
  return { ...processes, found };
}
