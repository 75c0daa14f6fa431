import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../../errors';
import { printNote } from '../terminal/print';

/** How many lines are remembered. */
export const HISTORY_LIMIT = 1_000;

/** The lines that were typed in the shell, in a file that nobody else may read. */
export class ShellHistory {
  private readonly file: string;
  private isBroken = false;

  constructor(state: string) {
    this.file = join(state, 'shell_history');
  }

  /** The newest first, as readline wants them. Keeps the file from growing without end. */
  load(): string[] {
    return (
      this.attempt(() => {
        const lines = readFileSync(this.file, 'utf8').split('\n').filter(Boolean);
        chmodSync(this.file, 0o600);
        const kept = lines.slice(-HISTORY_LIMIT);
        if (lines.length > 2 * HISTORY_LIMIT)
          writeFileSync(this.file, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 });
        return kept.reverse();
      }) ?? []
    );
  }

  add(line: string): void {
    this.attempt(() => {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
    });
  }

  /** A shell without a history is better than none. */
  private attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || this.isBroken) return undefined;
      this.isBroken = true;
      printNote(`warning: the history cannot be kept: ${messageOf(error)}`);
      return undefined;
    }
  }
}
