import { once } from 'node:events';
import { codeOf } from '../errors';

/** All that could do something to a terminal but break a line and indent. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The way of an answer to stdout, piece by piece, at the pace of whoever reads it. */
export class AnswerOutput {
  /** Whether the next piece begins a line. */
  isAtLineStart = true;
  private readonly isTerminal = Boolean(process.stdout.isTTY);
  private readonly stopped = new AbortController();
  private readonly onError: (error: unknown) => void;

  /** Calls back when the reader has left. */
  constructor(left: () => void) {
    this.onError = (error) => {
      if (codeOf(error) !== 'EPIPE') return;
      this.close();
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
    if (text === '' || this.stopped.signal.aborted) return;
    this.isAtLineStart = text.endsWith('\n');
    if (process.stdout.write(this.isTerminal ? text.replace(CONTROL, '') : text)) return;
    await once(process.stdout, 'drain', { signal: this.stopped.signal }).catch(() => undefined);
  }

  endLine(): Promise<void> {
    return this.isAtLineStart ? Promise.resolve() : this.write('\n');
  }

  /** Lets whoever waits for room go on; nothing more is written. */
  close(): void {
    this.stopped.abort();
    process.stdout.off('error', this.onError);
  }
}
