import type { OsProcess } from './os-process-table';

interface TreeRoot {
  /** The process that was started; it leads a process group and a session. Absent for the leftovers of a dead daemon. */
  leader?: number;
  /** Nothing of the tree is older, in the unit of the process table. */
  since: number;
  marker: string;
}

/**
 * Knows which processes belong to a run. No single sign finds all of them. The parent finds a child; the group or the
 * session finds a process whose parent has ended; the marker in the environment finds one that left both; and one that
 * also cleared its environment is known from before.
 */
export class ProcessTree {
  private readonly seen = new Map<number, number>();
  /** Undefined as soon as no process has that number any more: the system may give it to another one. */
  leader: number | undefined;

  constructor(private readonly root: TreeRoot) {
    this.leader = root.leader;
  }

  get since(): number {
    return this.root.since;
  }

  members(rows: OsProcess[]): OsProcess[] {
    const younger = rows.filter(({ pid, start }) => start >= this.root.since && pid !== process.pid);
    const children = new Map<number, OsProcess[]>();
    for (const row of younger) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
    if (!younger.some((row) => this.isLed(row))) this.leader = undefined;
    const members = new Set(younger.filter((row) => this.shows(row)));
    // The loop over a set also visits what is added meanwhile.
    for (const member of members) for (const child of children.get(member.pid) ?? []) members.add(child);
    for (const { pid, start } of members) this.seen.set(pid, start);
    return [...members];
  }

  private isLed({ pid, group, session }: OsProcess): boolean {
    return this.leader !== undefined && [pid, group, session].includes(this.leader);
  }

  private shows(row: OsProcess): boolean {
    return this.isLed(row) || this.seen.get(row.pid) === row.start || row.marker() === this.root.marker;
  }
}
