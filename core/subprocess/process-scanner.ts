import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProcessRow, ProcessTable } from './process-table';

/** Reads the process table for everybody who waits for it at the same time: fifty runs that end need no fifty readings. */
export class ProcessScanner {
  private upcoming: Promise<ProcessRow[]> | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly table: ProcessTable) {}

  /** What runs now: the reading begins after this call. */
  scan(): Promise<ProcessRow[]> {
    this.upcoming ??= this.readNext();
    return this.upcoming;
  }

  private async readNext(): Promise<ProcessRow[]> {
    await this.running;
    await nextTurn();
    this.upcoming = undefined;
    const reading = this.table.read();
    this.running = reading.catch(() => undefined);
    return reading;
  }
}
