import { isFields } from '../fields';
import type { ProcessEnd, ProcessEvent } from './process-event';
import { ProcessFiles } from './process-files';
import { readIndex } from './process-index';
import { isSummary, type ProcessSummary, summarize } from './process-summary';
import { applyEvent, foldEvent, type ProcessView } from './process-view';
import { readLines } from './read-lines';

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

/** What the index tells, and what a daemon has in memory, which is ahead of the disk. */
export interface KnownProcesses {
  known: Map<number, ProcessSummary>;
  /** The pids whose line is missing, or is older than their end. The line, where there is one, tells how they began. */
  missing: Map<number, ProcessSummary | undefined>;
}

/** What the records of these tell. */
export type LostProcesses = ReadonlyMap<number, ProcessSummary>;

/** Every process of a state folder with a record, in the order of the pids. One without an end has failed when its daemon is not alive. */
export async function readProcesses(
  state: string,
  isAlive: (daemon: string) => boolean,
  own?: readonly ProcessSummary[],
): Promise<ProcessSummary[]> {
  const known = readKnown(state, isAlive, own);
  return allOf(known, await readLost(state, isAlive, known));
}

/** Read at once: what is known is as of one moment. */
export function readKnown(
  state: string,
  isAlive: (daemon: string) => boolean,
  own: readonly ProcessSummary[] = [],
): KnownProcesses {
  const files = new ProcessFiles(state);
  const { summaries } = readIndex(files.index);
  // A line is written when a process begins and when it has ended: with a dead daemon its record tells more.
  const lines = [...summaries.values()].filter(({ end, daemon }) => end || isAlive(daemon));
  const known = new Map([...lines, ...own].map((each) => [each.pid, each]));
  const others = [...summaries.keys(), ...files.pids()].filter((pid) => !known.has(pid));
  return { known, missing: new Map(others.map((pid) => [pid, summaries.get(pid)])) };
}

/** Piece by piece, because records are long, and a daemon has other things to do. */
export async function readLost(
  state: string,
  isAlive: (daemon: string) => boolean,
  { missing }: KnownProcesses,
): Promise<LostProcesses> {
  const found = new Map<number, ProcessSummary>();
  for (const [pid, line] of missing) {
    const summary = (await readSummary(state, pid, isAlive)) ?? withEnd(line);
    if (summary) found.set(pid, summary);
  }
  return found;
}

/** `lost` may be a little older than what is known. */
export function allOf({ known, missing }: KnownProcesses, found: LostProcesses): ProcessSummary[] {
  const lost = [...missing].flatMap(([pid, line]) => found.get(pid) ?? withEnd(line) ?? []);
  return [...known.values(), ...lost].sort((a, b) => a.pid - b.pid);
}

/** The end of a process whose daemon is gone, behind the last event of its record. */
export function endOfDead({ seq, time }: ProcessEvent, end: ProcessEnd = DAEMON_DIED): ProcessEvent {
  return { seq: seq + 1, time, type: 'exit', ...end };
}

/** Without a record the time of the end is unknown. */
function withEnd(summary: ProcessSummary | undefined): ProcessSummary | undefined {
  return summary && { ...summary, state: DAEMON_DIED.state, end: DAEMON_DIED };
}

async function readSummary(
  state: string,
  pid: number,
  isAlive: (daemon: string) => boolean,
): Promise<ProcessSummary | undefined> {
  try {
    const { view, last } = (await readProcess(state, pid)) ?? {};
    if (view && !view.end && !isAlive(view.daemon)) applyEvent(view, endOfDead(last!));
    const summary = view && summarize(view);
    return isSummary(summary) && summary.pid === pid ? summary : undefined;
  } catch {
    // A folder, a file of another user, or events of another form.
    return undefined;
  }
}

/**
 * The events of a process that are on disk; none without a record. Lines that cannot be read are left out. `end`: as its summary
 * tells it, for a record without an end.
 */
export async function* readProcessEvents(
  state: string,
  pid: number,
  end?: ProcessEnd,
): AsyncGenerator<ProcessEvent, void> {
  let last: ProcessEvent | undefined;
  let hasEnded = false;
  for await (const value of readLines(new ProcessFiles(state).record(pid))) {
    if (!isEvent(value)) continue;
    yield value;
    last = value;
    hasEnded ||= value.type === 'exit';
  }
  if (last && end && !hasEnded) yield endOfDead(last, end);
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
    // The rest may be long, and nothing in it tells whose it is.
    if (!view) return undefined;
    last = event;
  }
  return view && last && { view, last };
}

/** Events of unknown types pass, because a newer version may have written them. */
function isEvent(value: unknown): value is ProcessEvent {
  if (!isFields(value)) return false;
  return typeof value.seq === 'number' && typeof value.time === 'number' && typeof value.type === 'string';
}
