import type { ProcessRow } from './process-table';

export interface TreeRoot {
  /** The process that was started; it leads a process group and a session. Absent for what a dead daemon left. */
  leader?: number;
  /** Nothing of the tree is older, in the unit of the process table. */
  since: number;
  marker: string;
}

/**
 * Knows which processes belong to a run. No single sign finds all: a child is found by its parent, one whose parent ended
 * by its group or session, one that left both by the marker in its environment, one that cleared that too by having
 * been seen before.
 */
export class ProcessTree {
  private readonly seen = new Map<number, number>();
  /** Undefined as soon as nobody is called so any more: the system may give the number to somebody else. */
  leader: number | undefined;

  constructor(private readonly root: TreeRoot) {
    this.leader = root.leader;
  }

  /** The processes of the run that are alive. */
  members(rows: ProcessRow[]): ProcessRow[] {
    const younger = rows.filter(({ pid, start }) => start >= this.root.since && pid !== process.pid);
    const children = new Map<number, ProcessRow[]>();
    for (const row of younger) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
    if (!younger.some((row) => this.isLed(row))) this.leader = undefined;
    const members = new Set(younger.filter((row) => this.shows(row)));
    // A set also visits what is added while it is walked through.
    for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
    for (const { pid, start } of members) this.seen.set(pid, start);
    return [...members];
  }

  private isLed({ pid, group, session }: ProcessRow): boolean {
    return this.leader !== undefined && [pid, group, session].includes(this.leader);
  }

  private shows(row: ProcessRow): boolean {
    return this.isLed(row) || this.seen.get(row.pid) === row.start || row.marker() === this.root.marker;
  }
}
