import { readFileSync } from 'node:fs';
import { codeOf } from '../errors';
import { isFields, parseJson } from '../fields';
import type { ProcessEvent } from './process-event';
import { ProcessFiles } from './process-files';
import { isSummary, type ProcessSummary, summarize } from './process-summary';
import { foldEvent, type ProcessView } from './process-view';
import { readLines } from './read-lines';
import type { UnreadCount } from './unread-lines';

// These functions read the files of a daemon and work without it. Any number of readers may do so at the same time.

/** The end of a process whose daemon is gone. */
export const DAEMON_DIED = {
  state: 'failed',
  reason: 'daemon_died',
  message: 'the daemon that ran it was killed or crashed',
} as const;

/** Why a process may be known that has no record. */
export const WITHOUT_RECORD =
  'records are kept for 30 days, and up to 200 MB, and a full disk takes none: drivebay doctor';

/** Every process of a state folder, by pid. One without an end has failed when its daemon is not alive. */
export function readProcesses(
  state: string,
  isAlive: (daemon: string) => boolean,
  count?: UnreadCount,
): ProcessSummary[] {
  const { index } = new ProcessFiles(state);
  const { summaries, unread } = readIndex(index);
  count?.add(index, unread);
  return mergeByPid([...summaries.values()].map((each) => endOfDead(each, isAlive)));
}

export function endOfDead(summary: ProcessSummary, isAlive: (daemon: string) => boolean): ProcessSummary {
  if (summary.end || isAlive(summary.daemon)) return summary;
  return { ...summary, state: DAEMON_DIED.state, end: DAEMON_DIED };
}

/** One summary per pid, in the order of the pids: a later list counts more, because memory is ahead of the disk. */
export function mergeByPid(...lists: ProcessSummary[][]): ProcessSummary[] {
  const all = new Map(lists.flat().map((each) => [each.pid, each]));
  return [...all.values()].sort((a, b) => a.pid - b.pid);
}

const PID = '{"pid":';
const DIGITS = 15;

interface Index {
  /** The latest line of each pid. */
  summaries: Map<number, ProcessSummary>;
  lines: number;
  /** How many of them cannot be read. */
  unread: number;
}

/** Read at once, because short commands wait for it. */
export function readIndex(file: string): Index {
  const summaries = new Map<number, ProcessSummary>();
  const lines = readText(file).split('\n');
  let unread = 0;
  // From the end, so that a line with a later one of the same pid is not parsed.
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const pid = line.startsWith(PID) ? Number.parseInt(line.slice(PID.length, PID.length + DIGITS), 10) : NaN;
    if (line === '' || summaries.has(pid)) continue;
    const value = Number.isNaN(pid) ? undefined : parseJson(line);
    if (isSummary(value)) summaries.set(pid, value);
    else unread += 1;
  }
  return { summaries, lines: lines.length - 1, unread };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    // The error of a read names no path, and the path tells which folder of ours it is about.
    throw Object.assign(error as Error, { path: file });
  }
}

/** The events of a process that are on disk; none without a record. */
export async function* readProcessEvents(state: string, pid: number): AsyncGenerator<ProcessEvent, void> {
  for await (const value of readLines(new ProcessFiles(state).record(pid))) {
    if (isEvent(value)) yield value;
  }
}

/** The fold of a record; undefined when there is no record or its beginning is lost. */
export async function readProcess(
  state: string,
  pid: number,
): Promise<{ view: ProcessView; last: ProcessEvent } | undefined> {
  let view: ProcessView | undefined;
  let last: ProcessEvent | undefined;
  for await (const event of readProcessEvents(state, pid)) {
    view = foldEvent(view, event);
    last = event;
  }
  return view && last && { view, last };
}

/** Events of unknown types pass, because a newer version may have written them. */
function isEvent(value: unknown): value is ProcessEvent {
  if (!isFields(value)) return false;
  return typeof value.seq === 'number' && typeof value.time === 'number' && typeof value.type === 'string';
}

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
