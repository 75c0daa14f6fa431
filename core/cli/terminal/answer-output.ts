import { once } from 'node:events';
import { codeOf } from '../../errors';

/** All that could do something to a terminal but break a line and indent. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The way of an answer to stdout, piece by piece, at the pace of whoever reads it. */
export class AnswerOutput {
  /** Whether the next piece begins a line. */
  isAtLineStart = true;
  private hasReader = true;
  private readonly isTerminal = Boolean(process.stdout.isTTY);
  private readonly hurried = new AbortController();
  private readonly onError: (error: unknown) => void;

  /** Calls back when the reader has left. */
  constructor(left: () => void) {
    this.onError = (error) => {
      if (codeOf(error) !== 'EPIPE') return;
      this.hasReader = false;
      left();
    };
    process.stdout.on('error', this.onError);
  }

  /** Whether what is drawn on the terminal of stderr would get into the answer. */
  get isInTheWay(): boolean {
    return this.isTerminal && !this.isAtLineStart;
  }

  /** Resolves when there is room for more. A pipe or a file gets every byte. */
  async write(text: string): Promise<void> {
    if (text === '' || !this.hasReader) return;
    this.isAtLineStart = text.endsWith('\n');
    if (process.stdout.write(this.isTerminal ? text.replace(CONTROL, '') : text)) return;
    if (this.hurried.signal.aborted) return;
    await once(process.stdout, 'drain', { signal: this.hurried.signal }).catch(() => undefined);
  }

  endLine(): Promise<void> {
    return this.isAtLineStart ? Promise.resolve() : this.write('\n');
  }

  /** From now on nobody waits for a reader that may not read. */
  hurry(): void {
    this.hurried.abort();
  }

  close(): void {
    this.hurry();
    process.stdout.off('error', this.onError);
  }
}
