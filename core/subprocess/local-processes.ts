import { existsSync } from 'node:fs';
import { type OsProcessTable, ProcessScanner } from './os-process-table';
import { ProcTable } from './proc-table';
import { PsTable } from './ps-table';
import { formatMarker, type DaemonIdentity } from './run-marker';
import { sendSignal } from './signals';
import { StartGate } from './start-gate';

/** Shared by all providers of this program: there is one processor to start on, and one process table. */
export class LocalProcesses {
  readonly gate = new StartGate();
  /** Absent on Windows, which has no groups and no signals, and where a parent may end before its children. */
  readonly table: OsProcessTable | undefined;
  readonly scanner: ProcessScanner | undefined;
  private known: DaemonIdentity | undefined;
  private runs = 0;

  constructor() {
    if (existsSync('/proc/self/stat')) this.table = new ProcTable();
    else if (process.platform !== 'win32') this.table = new PsTable();
    this.scanner = this.table && new ProcessScanner(this.table);
  }

  /** Tells this program from any other one on this machine, an earlier one with its pid included. */
  get identity(): DaemonIdentity {
    const { table } = this;
    this.known ??= { namespace: table?.namespace ?? '', pid: process.pid, start: table?.ownStart ?? 0 };
    return this.known;
  }

  /**
   * Whether the program runs that had this identity. A program of another namespace cannot be seen and counts as gone: a
   * container that was started again is more common than two containers that share a folder.
   */
  isRunning({ namespace, pid, start }: DaemonIdentity): boolean {
    if (pid === process.pid && namespace === this.identity.namespace && start === this.identity.start) return true;
    const { table } = this;
    // To ask for one process costs nothing. To read the table may cost a program.
    if (!table || namespace !== table.namespace || sendSignal(pid, 0) === 'gone') return false;
    const found = table.find(pid);
    return found !== undefined && Math.abs(found - start) <= table.tolerance;
  }

  /** A marker that no other run has, of this daemon or another. */
  nextMarker(): string {
    this.runs += 1;
    return formatMarker(this.identity, this.runs);
  }
}

let shared: LocalProcesses | undefined;

export function localProcesses(): LocalProcesses {
  shared ??= new LocalProcesses();
  return shared;
}
