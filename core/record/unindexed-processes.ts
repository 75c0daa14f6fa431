import { ProcessFiles } from './process-files';
import { type ProcessSummary, summarize } from './process-summary';
import { endOfDead, readProcess } from './read-processes';

/** The processes that have a record and no line in the index, and the records of which nothing can be read. */
export async function unindexedProcesses(
  state: string,
  known: readonly ProcessSummary[],
  isAlive: (daemon: string) => boolean,
): Promise<{ found: ProcessSummary[]; unread: string[] }> {
  const files = new ProcessFiles(state);
  const indexed = new Set(known.map(({ pid }) => pid));
  const found: ProcessSummary[] = [];
  const unread: string[] = [];
  for (const pid of files.pids().filter((each) => !indexed.has(each))) {
    const record = await readProcess(state, pid);
    if (record) found.push(endOfDead(summarize(record.view), isAlive));
    else unread.push(files.record(pid));
  }
  return { found, unread };
}
