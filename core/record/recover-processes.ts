import { AppendFile } from './append-file';
import type { ProcessEvent } from './process-event';
import { ProcessFiles } from './process-files';
import { summarize } from './process-summary';
import { applyEvent } from './process-view';
import { readIndex } from './process-index';
import { endOfDead, readProcess } from './read-processes';

/**
 * Completes records and index after a daemon was killed: a process without an end failed at its last event. A record that
 * cannot be read or completed keeps no other from that; its error is thrown at the end.
 */
export async function recoverProcesses(
  state: string,
  index: AppendFile,
  isRunning: (daemon: string) => boolean,
): Promise<void> {
  const files = new ProcessFiles(state);
  const { summaries } = readIndex(files.index);
  const isRecoverable = (pid: number) => {
    const line = summaries.get(pid);
    // Before its record is read: a daemon writes the last events of its processes, and then it is gone.
    return !line || (!line.end && !isRunning(line.daemon));
  };
  const unended = files.pids().filter(isRecoverable);
  const recover = async (pid: number) => {
    const found = await readProcess(state, pid);
    if (!found) return;
    const { view, last } = found;
    if (!view.end && isRunning(view.daemon)) return;
    if (!view.end) {
      const exit = endOfDead(last);
      applyEvent(view, exit);
      await appendTo(files.record(pid), exit);
    }
    index.append(summarize(view));
  };
  const failures: unknown[] = [];
  for (const pid of unended) await recover(pid).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function appendTo(path: string, event: ProcessEvent): Promise<void> {
  let failure: unknown;
  const file = new AppendFile(path, (error) => (failure = error));
  file.append(event);
  if (!(await file.flush())) throw failure;
}
