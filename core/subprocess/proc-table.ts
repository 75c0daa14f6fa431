import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProcessRow, ProcessTable } from './process-table';
import { RUN_MARKER } from './run-marker';

/** The unit of the table: what proc(5) calls a clock tick, the same on all platforms of Node. */
const TICKS_PER_SECOND = 100;
/** How many are read of a process, from the state to the start: of more than twice as many. */
const FIELDS = 20;
/** About a millisecond of work. */
const ROWS_PER_TURN = 64;

/** Linux: read straight from /proc, which takes no program and a few milliseconds. */
export class ProcTable implements ProcessTable {
  readonly tolerance = 0;
  readonly namespace: string;
  private ownStart: number | undefined;

  constructor() {
    this.namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  }

  async read(): Promise<ProcessRow[]> {
    const rows: ProcessRow[] = [];
    let count = 0;
    for (const row of readRows()) {
      if (row) rows.push(row);
      if (++count % ROWS_PER_TURN === 0) await nextTurn();
    }
    return rows;
  }

  readSync(): ProcessRow[] {
    return [...readRows()].filter((row) => row !== undefined);
  }

  startOf(pid: number): number {
    return this.find(pid) ?? 0;
  }

  now(): number {
    this.ownStart ??= this.startOf(process.pid);
    // Our clock stands still while the machine sleeps, the one of the table does not: never too late.
    return this.ownStart + Math.floor(process.uptime() * TICKS_PER_SECOND) - 1;
  }

  find(pid: number): number | undefined {
    return readRow(pid)?.start;
  }
}

function* readRows(): Generator<ProcessRow | undefined> {
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid)) yield readRow(pid);
  }
}

/** Undefined for a process that has ended meanwhile. */
function readRow(pid: number): ProcessRow | undefined {
  const stat = readOf(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', FIELDS);
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  let marker: { found: string | undefined } | undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: Number(fields[FIELDS - 1]),
    marker: () => (marker ??= { found: readMarker(pid) }).found,
  };
}

function readMarker(pid: number): string | undefined {
  const environment = readOf(pid, 'environ');
  if (environment === undefined) return undefined;
  const prefix = `${RUN_MARKER}=`;
  const at = environment.startsWith(prefix) ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (at === 0 && !environment.startsWith(prefix)) return undefined;
  const end = environment.indexOf('\0', at);
  return environment.slice(at + prefix.length, end === -1 ? undefined : end);
}

function readOf(pid: number, file: string): string | undefined {
  try {
    // Of all encodings, this one takes Node half the time. What is looked for is ASCII, whatever the rest is.
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
