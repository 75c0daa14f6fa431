import { LineSplitter } from '../line-splitter';

/** In bytes. What is longer is no message to anybody. */
const LIMIT = 64 * 1024;

/** Hands the lines of a standard error to a listener, as they come. */
export class ErrorLines {
  private splitter = new LineSplitter(LIMIT);

  constructor(private readonly listener: (line: string) => void) {}

  push(bytes: Buffer): void {
    const lines: string[] = [];
    try {
      this.splitter.push(bytes, lines);
    } catch {
      // Too long: its rest reads as a line of its own.
      this.splitter = new LineSplitter(LIMIT);
    }
    for (const line of lines) this.listener(line);
  }
}
