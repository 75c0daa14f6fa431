import { existsSync } from 'node:fs';
import { ProcTable } from './proc-table';
import { ProcessScanner } from './process-scanner';
import type { ProcessTable } from './process-table';
import { PsTable } from './ps-table';
import { formatMarker, type DaemonIdentity } from './run-marker';
import { StartGate } from './start-gate';

/** What all providers of this program share: there is one processor to start on, and one process table. */
export class LocalProcesses {
  readonly gate = new StartGate();
  /** Absent on Windows, which has no such thing as a group, a signal or a parent that stays known. */
  readonly table: ProcessTable | undefined;
  readonly scanner: ProcessScanner | undefined;
  private identity: DaemonIdentity | undefined;
  private runs = 0;

  constructor() {
    if (existsSync('/proc/self/stat')) this.table = new ProcTable();
    else if (process.platform !== 'win32') this.table = new PsTable();
    this.scanner = this.table && new ProcessScanner(this.table);
  }

  /** A marker that no other run has, of this daemon or another. */
  nextMarker(): string {
    const { table } = this;
    this.identity ??= {
      namespace: table?.namespace ?? '',
      pid: process.pid,
      start: table?.startOf(process.pid) ?? 0,
    };
    this.runs += 1;
    return formatMarker(this.identity, this.runs);
  }
}

let shared: LocalProcesses | undefined;

export function localProcesses(): LocalProcesses {
  shared ??= new LocalProcesses();
  return shared;
}
