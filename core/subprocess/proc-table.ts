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
/** How often a reading looks for what has started meanwhile. Somewhere on a busy machine something always has. */
const MOST_LOOKS = 8;

/** The pids below are given once. */
const NEVER_AGAIN = 300;

/** What the system has given to processes and threads until a moment. NaN: it does not say so. */
interface Given {
  /** The latest pid, in our namespace. */
  last: number;
  /** How many, in all namespaces. */
  count: number;
}

/** Linux: reads /proc itself, which takes no program and a few milliseconds. */
export class ProcTable implements OsProcessTable {
  readonly tolerance = 0;
  readonly namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  private knownStart: number | undefined;
  /** Speed: no run has a process that is older than the run, and most of those on a machine are. They are read once. */
  private readonly kept = new Map<string, OsProcess>();
  /** Until then no pid of a row that is kept was given to another process. */
  private given: Given = { last: NaN, count: NaN };
  /** After so many processes and threads all pids may have had their turn: those in use are passed over, and may be most. */
  private readonly shortRound = (Number(readOf('sys/kernel', 'pid_max')) - NEVER_AGAIN) / 8;

  /** `list` gives the names in /proc. */
  constructor(
    private readonly list: () => string[] = () => readdirSync('/proc'),
    private readonly readGiven: () => Given = whatIsGiven,
  ) {}

  async read(since?: number): Promise<OsProcess[]> {
    const rows: OsProcess[] = [];
    const reading = this.readInto(rows, since);
    while (!reading.next().done) await nextTurn();
    return rows;
  }

  readSync(since?: number): OsProcess[] {
    const rows: OsProcess[] = [];
    const reading = this.readInto(rows, since);
    while (!reading.next().done);
    return rows;
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

  /** Looks again until nothing is new: a process that starts another one and ends meanwhile would hide both. Yields where others may have a turn. */
  private *readInto(rows: OsProcess[], since = 0): Generator<void> {
    const { kept } = this;
    const known = new Set<string>();
    let count = 0;
    for (let look = 0, before = -1; look < MOST_LOOKS && before < known.size; look += 1) {
      before = known.size;
      const last = lastPid();
      const names = this.list();
      this.forgetGiven();
      for (const name of names) {
        if (known.has(name)) continue;
        known.add(name);
        const elder = kept.get(name);
        if (elder && elder.start < since) {
          rows.push(elder);
          continue;
        }
        const pid = Number(name);
        if (!Number.isInteger(pid)) continue;
        const row = readRow(pid);
        if (row) rows.push(row);
        if (row) kept.set(name, row);
        else kept.delete(name);
        if (++count % ROWS_PER_TURN === 0) yield;
      }
      // Speed: nothing has started since the list was made.
      if (lastPid() === last) break;
    }
    for (const name of kept.keys()) if (!known.has(name)) kept.delete(name);
  }

  /**
   * Forgets the rows of the pids that have been given since the last call. The system gives pids in turn, up to the highest
   * and then again from the lowest, and passes over those in use. So an old process may have the number that is next, and
   * another one gets it in the moment after its end.
   */
  private forgetGiven(): void {
    const { given: before, kept } = this;
    const { last, count } = (this.given = this.readGiven());
    const isKnown = count - before.count < this.shortRound && before.last > 0 && last > 0;
    const isGiven = (pid: number) =>
      before.last > last ? pid > before.last || pid <= last : pid > before.last && pid <= last;
    for (const [name, { pid }] of kept) if (!isKnown || isGiven(pid)) kept.delete(name);
  }
}

function whatIsGiven(): Given {
  return { last: lastPid(), count: Number(/^processes (\d+)$/m.exec(readOf('.', 'stat') ?? '')?.[1]) };
}

function lastPid(): number {
  return Number(readOf('sys/kernel', 'ns_last_pid'));
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

function readOf(folder: number | string, file: string): string | undefined {
  try {
    // The fastest encoding in Node. Only ASCII texts are looked for, so the decoding of others does not matter.
    return readFileSync(`/proc/${folder}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
