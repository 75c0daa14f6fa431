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

  constructor(readonly root: TreeRoot) {}

  /** The processes of the run that are alive. */
  members(rows: ProcessRow[]): ProcessRow[] {
    const younger = rows.filter(({ pid, start }) => start >= this.root.since && pid !== process.pid);
    const children = new Map<number, ProcessRow[]>();
    for (const row of younger) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
    const members = new Set(younger.filter((row) => this.shows(row)));
    // A set also visits what is added while it is walked through.
    for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
    for (const { pid, start } of members) this.seen.set(pid, start);
    return [...members];
  }

  private shows(row: ProcessRow): boolean {
    const { leader, marker } = this.root;
    if (leader !== undefined && [row.pid, row.group, row.session].includes(leader)) return true;
    return this.seen.get(row.pid) === row.start || row.marker() === marker;
  }
}
