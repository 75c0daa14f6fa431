import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../errors';
import type { ProcessEvent } from './process-event';
import { makeFolder } from '../make-folder';

/** The places of the records in a state folder: one file per process, named by its pid, and an index of all. */
export class ProcessFiles {
  readonly directory: string;
  readonly index: string;

  constructor(state: string) {
    this.directory = join(state, 'processes');
    this.index = join(this.directory, 'index.ndjson');
  }

  record(pid: number): string {
    return join(this.directory, `${pid}.ndjson`);
  }

  pids(): number[] {
    return this.names()
      .flatMap((name) => /^([1-9]\d{0,14})\.ndjson$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  /** Begins the record of a pid with an event. False when the pid is taken. */
  claim(pid: number, first: ProcessEvent): boolean {
    makeFolder(this.directory);
    try {
      writeFileSync(this.record(pid), `${JSON.stringify(first)}\n`, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  private names(): string[] {
    try {
      return readdirSync(this.directory);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}
