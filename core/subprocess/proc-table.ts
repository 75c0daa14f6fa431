import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OsProcess, OsProcessTable } from './os-process-table';
import { RUN_MARKER } from './run-marker';

/** The unit of the table: what proc(5) calls a clock tick, the same on all platforms of Node. */
const TICKS_PER_SECOND = 100;
/** How many fields are read of a process, from the state to the start. There are more than twice as many. */
const FIELDS = 20;
/** About a millisecond of work. */
const ROWS_PER_TURN = 64;
/** How long what was read of an older process counts. The system gives its number to no other one so soon. */
const ELDERS_MS = 1_000;
/** How often a reading looks for what has started meanwhile. Somewhere on a busy machine something always has. */
const MOST_LOOKS = 8;

/** Linux: reads /proc itself, which takes no program and a few milliseconds. */
export class ProcTable implements OsProcessTable {
  readonly tolerance = 0;
  readonly namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  private knownStart: number | undefined;
  /** Speed: no run has a process that is older than this program, and most of those on a machine are. */
  private elders = { rows: new Map<string, OsProcess>(), until: 0 };

  /** `list` gives the names in /proc. */
  constructor(private readonly list: () => string[] = () => readdirSync('/proc')) {}

  async read(): Promise<OsProcess[]> {
    const rows: OsProcess[] = [];
    let count = 0;
    for (const row of this.readRows()) {
      if (row) rows.push(row);
      if (++count % ROWS_PER_TURN === 0) await nextTurn();
    }
    return rows;
  }

  readSync(): OsProcess[] {
    return [...this.readRows()].filter((row) => row !== undefined);
  }

  get ownStart(): number {
    this.knownStart ??= this.find(process.pid) ?? 0;
    return this.knownStart;
  }

  now(): number {
    // Our clock stands still while the machine sleeps, and that of the table does not: the result is never too late.
    return this.ownStart + Math.floor(process.uptime() * TICKS_PER_SECOND) - 1;
  }

  find(pid: number): number | undefined {
    return readRow(pid)?.start;
  }

  /** Looks again until nothing is new: a process that starts another one and ends meanwhile would hide both. */
  private *readRows(): Generator<OsProcess | undefined> {
    const now = performance.now();
    if (now >= this.elders.until) this.elders = { rows: new Map(), until: now + ELDERS_MS };
    const { rows: elders } = this.elders;
    const known = new Set<string>();
    for (let look = 0, before = -1; look < MOST_LOOKS && before < known.size; look += 1) {
      before = known.size;
      for (const name of this.list()) {
        if (known.has(name)) continue;
        known.add(name);
        const pid = Number(name);
        if (!Number.isInteger(pid)) continue;
        const row = elders.get(name) ?? readRow(pid);
        if (row && row.start < this.ownStart) elders.set(name, row);
        yield row;
      }
    }
  }
}

/** Undefined for a process that has ended meanwhile. */
function readRow(pid: number): OsProcess | undefined {
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
    marker: () => (marker ??= { found: readVariable(pid, RUN_MARKER) }).found,
    variable: (name) => readVariable(pid, name),
    memory: () => Number(/^VmRSS:\s*(\d+) kB$/m.exec(readOf(pid, 'status') ?? '')?.[1] ?? 0) * 1024,
  };
}

function readVariable(pid: number, name: string): string | undefined {
  const [, rest] = `\0${readOf(pid, 'environ') ?? ''}`.split(`\0${name}=`, 2);
  return rest?.split('\0', 1)[0];
}

function readOf(pid: number, file: string): string | undefined {
  try {
    // The fastest encoding in Node. Only ASCII texts are looked for, so the decoding of others does not matter.
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
