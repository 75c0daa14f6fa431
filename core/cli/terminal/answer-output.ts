import { once } from 'node:events';
import { codeOf } from '../../errors';
import { plainAnswer } from '../../log/printable';

const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** Writes an answer to stdout, piece by piece, at the pace of the reader. */
export class AnswerOutput {
  isAtLineStart = true;
  /** The first half of a character whose other half is in the next piece. */
  private half = '';
  private hasReader = true;
  private readonly isTerminal = Boolean(process.stdout.isTTY);
  private readonly hurried = new AbortController();
  private readonly onError: (error: unknown) => void;

  /** Calls `left` when the reader has closed the pipe. */
  constructor(left: () => void) {
    this.onError = (error) => {
      if (codeOf(error) !== 'EPIPE') return;
      this.hasReader = false;
      left();
    };
    process.stdout.on('error', this.onError);
  }

  /** Whether a line on stderr would get into the middle of a line of the answer. */
  get isInTheWay(): boolean {
    return this.isTerminal && !this.isAtLineStart;
  }

  /** Resolves when there is room for more. A pipe or a file gets every byte. */
  async write(piece: string): Promise<void> {
    const whole = this.half + piece;
    this.half = HALF_CHARACTER.exec(whole)?.[0] ?? '';
    const text = whole.slice(0, whole.length - this.half.length);
    if (text === '' || !this.hasReader) return;
    this.isAtLineStart = text.endsWith('\n');
    if (process.stdout.write(this.isTerminal ? plainAnswer(text) : text)) return;
    if (this.hurried.signal.aborted) return;
    await once(process.stdout, 'drain', { signal: this.hurried.signal }).catch(() => undefined);
  }

  endLine(): Promise<void> {
    return this.isAtLineStart ? Promise.resolve() : this.write('\n');
  }

  /** From now on no write waits for the reader. */
  hurry(): void {
    this.hurried.abort();
  }

  close(): void {
    this.hurry();
    process.stdout.off('error', this.onError);
  }
}
