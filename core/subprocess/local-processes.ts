import { existsSync } from 'node:fs';
import { codeOf } from '../errors';
import { ProcTable } from './proc-table';
import { ProcessScanner } from './process-scanner';
import type { ProcessTable } from './process-table';
import { formatMarker, type DaemonIdentity } from './run-marker';
import { StartGate } from './start-gate';

/** What all providers of this program share: there is one processor to start on, and one process table. */
export class LocalProcesses {
  readonly gate = new StartGate();
  /** Absent on Windows, which has no such thing as a group, a signal or a parent that stays known. */
  readonly table: ProcessTable | undefined;
  readonly scanner: ProcessScanner | undefined;
  private known: DaemonIdentity | undefined;
  private runs = 0;

  constructor() {
    if (existsSync('/proc/self/stat')) this.table = new ProcTable();
    else if (process.platform !== 'win32') this.table = newPsTable();
    this.scanner = this.table && new ProcessScanner(this.table);
  }

  /** This program, as no other one before or beside it is called. */
  get identity(): DaemonIdentity {
    const { table } = this;
    this.known ??= {
      namespace: table?.namespace ?? '',
      pid: process.pid,
      start: table?.startOf(process.pid) ?? 0,
    };
    return this.known;
  }

  /**
   * Whether a program runs that was once described so. One of another namespace cannot be seen; it counts as gone: a
   * container that was started again is more common than two that share a folder.
   */
  isRunning({ namespace, pid, start }: DaemonIdentity): boolean {
    if (pid === process.pid && namespace === this.identity.namespace && start === this.identity.start) return true;
    const { table } = this;
    if (!table || namespace !== table.namespace || !mayExist(pid)) return false;
    const found = table.find(pid);
    return found !== undefined && Math.abs(found - start) <= table.tolerance;
  }

  /** A marker that no other run has, of this daemon or another. */
  nextMarker(): string {
    this.runs += 1;
    return formatMarker(this.identity, this.runs);
  }
}

/** Asking for one process costs nothing, reading a table may cost a program. */
function mayExist(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Loaded where it is needed: it runs programs. */
function newPsTable(): ProcessTable {
  const { PsTable } = require('./ps-table') as typeof import('./ps-table');
  return new PsTable();
}

let shared: LocalProcesses | undefined;

export function localProcesses(): LocalProcesses {
  shared ??= new LocalProcesses();
  return shared;
}
