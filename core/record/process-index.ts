import { readFileSync } from 'node:fs';
import { codeOf } from '../errors';
import { parseJson } from '../fields';
import { isSummary, type ProcessSummary } from './process-summary';

const PID = '{"pid":';
const DIGITS = 15;

interface Index {
  /** The latest line of each pid. */
  summaries: Map<number, ProcessSummary>;
  lines: number;
}

/** Synchronous, because short commands wait for it. */
export function readIndex(file: string): Index {
  const summaries = new Map<number, ProcessSummary>();
  const lines = linesOf(file);
  // From the end, so that a line with a later one of the same pid is not parsed.
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const pid = line.startsWith(PID) ? Number.parseInt(line.slice(PID.length, PID.length + DIGITS), 10) : NaN;
    if (line.trim() === '' || summaries.has(pid)) continue;
    const value = Number.isNaN(pid) ? undefined : parseJson(line);
    if (isSummary(value)) summaries.set(pid, value);
  }
  return { summaries, lines: lines.length - 1 };
}

/** The lines as `readLines` sees them. The last one is empty in a whole file. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [''];
    // The error of a read names no path, and the path tells which folder of ours it is about.
    throw Object.assign(error as Error, { path: file });
  }
}
