import { copyFileSync, ftruncateSync, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_BYTES = 5 * 1024 * 1024;
const STDERR = 2;

export function daemonLogFile(state: string): string {
  return join(state, 'daemon.log');
}

/**
 * Writes to a log that stderr leads to. When it is full its content goes to `daemon.log.1`. The file itself stays, and
 * is emptied: whatever else the process writes to stderr goes on to reach it. To be opened for appending.
 */
export class DaemonLog {
  private size: number;

  constructor(
    private readonly file: string,
    private readonly descriptor = STDERR,
    private readonly limit = LIMIT_BYTES,
  ) {
    this.size = fstatSync(descriptor).size;
    if (this.size > limit) this.rotate();
  }

  /** A disk that is full costs lines, not the daemon. */
  readonly write = (text: string): void => {
    try {
      this.size += writeSync(this.descriptor, text);
      if (this.size > this.limit) this.rotate();
    } catch {
      // There is no other place to say so.
    }
  };

  private rotate(): void {
    try {
      copyFileSync(this.file, `${this.file}.1`);
      ftruncateSync(this.descriptor);
    } finally {
      this.size = 0;
    }
  }
}
