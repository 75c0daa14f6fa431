import { setImmediate as nextTurn } from 'node:timers/promises';

export interface OsProcess {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** When it started, in the unit of the table. Together with the pid it is unique. */
  start: number;
  /** The marker of the run it belongs to, as far as its environment can be read. */
  marker(): string | undefined;
  /** A variable of its environment, as far as that can be read. */
  variable(name: string): string | undefined;
  /** Its physical memory in bytes, with what it shares with others. */
  memory(): number;
}

/** Reads which processes run on this machine. Zombies are left out. */
export interface OsProcessTable {
  /** Rows of processes that are older than `since` may come from an earlier reading. */
  read(since?: number): Promise<OsProcess[]>;
  /** The same while the program exits, when it cannot wait. */
  readSync(since?: number): OsProcess[];
  /** When this program began. */
  readonly ownStart: number;
  /** A process that starts from here on is not older, but for the tolerance. Does not read the table. */
  now(): number;
  /** When a process began that still runs. */
  find(pid: number): number | undefined;
  /** How far two statements about the same start may be apart. */
  readonly tolerance: number;
  readonly namespace: string;
}

/** Reads the table once for all runs that wait for it: fifty runs that end need no fifty readings. */
export class ProcessScanner {
  private upcoming: Promise<OsProcess[]> | undefined;
  private since = 0;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly table: Pick<OsProcessTable, 'read'>) {}

  /** The processes that run now: the reading begins after this call. Of a process that is older than `since` only pid and start are reliable. */
  scan(since = 0): Promise<OsProcess[]> {
    this.since = this.upcoming ? Math.min(this.since, since) : since;
    this.upcoming ??= this.readNext();
    return this.upcoming;
  }

  private async readNext(): Promise<OsProcess[]> {
    await this.running;
    await nextTurn();
    this.upcoming = undefined;
    const reading = this.table.read(this.since);
    this.running = reading.catch(() => undefined);
    return reading;
  }
}
