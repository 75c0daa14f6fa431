import { existsSync } from 'node:fs';
import { isFields, parseJson } from '../fields';
import type { ProcessEvent } from './process-event';
import { ProcessFiles } from './process-files';
import { linesOf, readIndex } from './process-index';
import { isSummary, type ProcessSummary, summarize } from './process-summary';
import { applyEvent, foldEvent, type ProcessView } from './process-view';
import { readLines } from './read-lines';
import { explainUnread, HOW_TO_READ } from './unread-lines';

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

export interface FoundProcesses {
  /** Every process with a record, in the order of the pids. */
  list: ProcessSummary[];
  /** Those of them whose line in the index is missing, or is older than their end. */
  unindexed: ProcessSummary[];
  /** Lines of the index, and the records of which nothing can be read. */
  unread: { lines: number; records: string[] };
}

/**
 * Every process of a state folder. One without an end has failed when its daemon is not alive. `own`: the processes that a daemon
 * has in memory, which is ahead of the disk.
 */
export function readProcesses(
  state: string,
  isAlive: (daemon: string) => boolean,
  own: readonly ProcessSummary[] = [],
): FoundProcesses {
  const files = new ProcessFiles(state);
  const { summaries, unread } = readIndex(files.index);
  // A line is written when a process begins and when it has ended: with a dead daemon its record tells more.
  const lines = [...summaries.values()].filter(({ end, daemon }) => end || isAlive(daemon));
  const known = new Map([...lines, ...own].map((each) => [each.pid, each]));
  const unindexed: ProcessSummary[] = [];
  const records: string[] = [];
  for (const pid of new Set([...summaries.keys(), ...files.pids()])) {
    if (known.has(pid)) continue;
    const record = files.record(pid);
    const summary = readSummary(record, isAlive) ?? withEnd(summaries.get(pid));
    if (summary?.pid === pid) unindexed.push(summary);
    // A daemon may have dropped it in this moment.
    else if (existsSync(record)) records.push(record);
  }
  const list = [...known.values(), ...unindexed].sort((a, b) => a.pid - b.pid);
  return { list, unindexed, unread: { lines: unread, records } };
}

/** The end of a process whose daemon is gone, behind the last event of its record. */
export function endOfDead({ seq, time }: ProcessEvent): ProcessEvent {
  return { seq: seq + 1, time, type: 'exit', ...DAEMON_DIED };
}

/** Without a record the time of the end is unknown. */
function withEnd(summary: ProcessSummary | undefined): ProcessSummary | undefined {
  return summary && { ...summary, state: DAEMON_DIED.state, end: DAEMON_DIED };
}

function readSummary(record: string, isAlive: (daemon: string) => boolean): ProcessSummary | undefined {
  try {
    let view: ProcessView | undefined;
    const events = linesOf(record)
      .map((line) => parseJson(line))
      .filter(isEvent);
    for (const event of events) view = foldEvent(view, event);
    if (view && !view.end && !isAlive(view.daemon)) applyEvent(view, endOfDead(events.at(-1)!));
    const summary = view && summarize(view);
    return isSummary(summary) ? summary : undefined;
  } catch {
    // A folder, a file of another user, or events of another form.
    return undefined;
  }
}

/** The events of a process that are on disk; none without a record. A notice stands in the place of lines that cannot be read. */
export async function* readProcessEvents(state: string, pid: number): AsyncGenerator<ProcessEvent, void> {
  const file = new ProcessFiles(state).record(pid);
  let last: ProcessEvent | undefined;
  let lost = 0;
  for await (const value of readLines(file)) {
    if (isEvent(value)) {
      if (last && lost > 0) yield noticeOf(file, lost, last, value.seq);
      yield value;
      last = value;
      lost = 0;
    } else lost += 1;
  }
  if (last && lost > 0) yield noticeOf(file, lost, last, Infinity);
}

function noticeOf(file: string, lines: number, { seq, time }: ProcessEvent, next: number): ProcessEvent {
  const message = `${explainUnread({ file, lines })}; ${HOW_TO_READ}`;
  // Below the number of the next event: a reader that goes on by numbers would miss that event.
  return { seq: Math.max(seq, Math.min(seq + 1, next - 1)), time, type: 'notice', level: 'warn', message };
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
