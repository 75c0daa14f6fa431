import { applyEvent } from './process-view';
import type { ProcessEvent } from './process-event';
import { AppendFile } from './append-file';
import { ProcessFiles } from './process-files';
import { summarize } from './process-summary';
import { DAEMON_DIED, readIndex, readProcess } from './read-processes';

/**
 * Brings records and index to an end after a daemon was killed: a process without one has failed, with its last sign
 * of life as the time, and a process that the index does not know, or knows as running, gets its line.
 */
export async function recoverProcesses(
  state: string,
  index: AppendFile,
  isRunning: (daemon: string) => boolean,
): Promise<void> {
  const files = new ProcessFiles(state);
  const { summaries } = readIndex(files.index);
  const unended = files.pids().filter((pid) => !summaries.get(pid)?.end);
  for (const pid of unended) {
    const found = await readProcess(state, pid);
    if (!found) continue;
    const { view, last } = found;
    if (!view.end && isRunning(view.daemon)) continue;
    if (!view.end) {
      const exit: ProcessEvent = { seq: last.seq + 1, time: last.time, type: 'exit', ...DAEMON_DIED };
      applyEvent(view, exit);
      await appendTo(files.record(pid), exit);
    }
    index.append(`${JSON.stringify(summarize(view))}\n`);
  }
}

async function appendTo(path: string, event: ProcessEvent): Promise<void> {
  let failure: unknown;
  const file = new AppendFile(path, (error) => (failure = error));
  file.append(`${JSON.stringify(event)}\n`);
  if (!(await file.flush())) throw failure;
}
