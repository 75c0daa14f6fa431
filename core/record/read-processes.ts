import { readFileSync } from 'node:fs';
import { codeOf } from '../errors';
import type { ProcessEvent } from './process-event';
import { foldEvent, type ProcessView } from './process-view';
import { ProcessFiles } from './process-files';
import { isSummary, type ProcessSummary } from './process-summary';
import { parseLines, readLines } from './read-lines';

// Reads what a daemon writes, and needs none: any number of readers may do so at the same time.

/** How a process ended whose daemon is gone. */
export const DAEMON_DIED = {
  state: 'failed',
  reason: 'daemon_died',
  message: 'the daemon that ran it was killed or crashed',
} as const;

/**
 * Every process of a state folder, in the order of their pids. `isAlive` says whether a daemon runs: processes without
 * an end whose daemon does not have failed.
 */
export function readProcesses(state: string, isAlive: (daemon: string) => boolean): ProcessSummary[] {
  const { summaries } = readIndex(new ProcessFiles(state).index);
  const all = [...summaries.values()].sort((a, b) => a.pid - b.pid);
  return all.map((each) => (each.end || isAlive(each.daemon) ? each : { ...each, state: 'failed', end: DAEMON_DIED }));
}

const PID = '{"pid":';
const DIGITS = 15;

/** The latest line of each pid, and how many lines there are. Not in pieces: a short command waits for each of them. */
export function readIndex(file: string): { summaries: Map<number, ProcessSummary>; lines: number } {
  const summaries = new Map<number, ProcessSummary>();
  const lines = readText(file).split('\n');
  // From the end: a line that a later one stands for need not be parsed.
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const pid = line.startsWith(PID) ? Number.parseInt(line.slice(PID.length, PID.length + DIGITS), 10) : NaN;
    if (Number.isNaN(pid) || summaries.has(pid)) continue;
    for (const value of parseLines([line])) if (isSummary(value)) summaries.set(pid, value);
  }
  return { summaries, lines: lines.length - 1 };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** The events of a process, as far as they are written; none when there is no record. */
export async function* readProcessEvents(state: string, pid: number): AsyncGenerator<ProcessEvent, void> {
  for await (const value of readLines(new ProcessFiles(state).record(pid))) {
    if (isEvent(value)) yield value;
  }
}

/** The fold of a record; undefined when there is none, or its beginning is lost. */
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

/** Newer versions may write types that are not known here; those are passed on. */
function isEvent(value: unknown): value is ProcessEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, time, type } = value as Record<string, unknown>;
  return typeof seq === 'number' && typeof time === 'number' && typeof type === 'string';
}
