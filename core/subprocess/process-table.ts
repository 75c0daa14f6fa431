/** One process of this machine. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** When it started, in the unit of the table. Together with the pid it is unique. */
  start: number;
  /** The marker of the run it belongs to, as far as its environment can be read. */
  marker(): string | undefined;
}

/** Reads what runs on this machine. Zombies are left out: they run no more. */
export interface ProcessTable {
  read(): Promise<ProcessRow[]>;
  /** The same while the program exits, when nothing can be waited for. */
  readSync(): ProcessRow[];
  /** When this program, or one that it has just started, began. */
  startOf(pid: number): number;
  /** Nothing that is started from here on is older, but for the tolerance. Takes no look at the table. */
  now(): number;
  /** When a process began that still runs. */
  find(pid: number): number | undefined;
  /** How far two statements about the same start may be apart. */
  readonly tolerance: number;
  readonly namespace: string;
}
