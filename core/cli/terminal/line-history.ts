import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../errors';
import { printNote } from './print';
import { makeFolder } from '../../make-folder';

export const HISTORY_LIMIT = 1_000;

/** The lines that the user typed at a prompt, in a file that only the user can read. */
export class LineHistory {
  private isBroken = false;

  constructor(private readonly file: string) {}

  /** The newest line first, as readline expects. Shortens a file that has grown too long. */
  load(): string[] {
    let kept: string[] = [];
    this.attempt(() => {
      const lines = readFileSync(this.file, 'utf8').split('\n').filter(Boolean);
      kept = lines.slice(-HISTORY_LIMIT);
      chmodSync(this.file, 0o600);
      if (lines.length > 2 * HISTORY_LIMIT) writeFileSync(this.file, `${kept.join('\n')}\n`, { mode: 0o600 });
    });
    return kept.toReversed();
  }

  add(line: string): void {
    this.attempt(() => {
      makeFolder(dirname(this.file));
      appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
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
