import { appendFileSync, chmodSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../errors';
import { printNote } from './print';
import { makeFolder } from '../../make-folder';
import { writeWhole } from '../../write-whole';

export const HISTORY_LIMIT = 1_000;

/** The lines that the user typed at a prompt, in a file that only the user can read. */
export class LineHistory {
  private isBroken = false;

  constructor(private readonly file: string) {}

  /** The newest line first, as readline expects. Takes half a line of a killed program off the file, and shortens one that is too long. */
  load(): string[] {
    let kept: string[] = [];
    this.attempt(() => {
      const bytes = readFileSync(this.file);
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      const lines = whole.toString().split('\n').filter(Boolean);
      kept = lines.slice(-HISTORY_LIMIT);
      chmodSync(this.file, 0o600);
      if (whole.length < bytes.length) truncateSync(this.file, whole.length);
      if (lines.length > 2 * HISTORY_LIMIT) writeWhole(this.file, `${kept.join('\n')}\n`);
    });
    return kept.toReversed();
  }

  add(line: string): void {
    this.attempt(() => {
      makeFolder(dirname(this.file));
      append(this.file, `${line}\n`);
    });
  }

  /** A prompt works without a history too. It warns once. */
  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || this.isBroken) return;
      this.isBroken = true;
      printNote(`warning: the history cannot be kept: ${messageOf(error)}`);
    }
  }
}

/** Takes back what a full disk has cut off: half a command would be offered as a whole one. */
function append(file: string, line: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(file, line, { mode: 0o600 });
  } catch (error) {
    if (existsSync(file)) truncateSync(file, size);
    throw error;
  }
}
