import type { Readable } from 'node:stream';
import { ErrorLines } from './error-lines';
import { OutputLines } from './output-lines';
import { Tail } from './tail';

/** Something else may hold the pipes open after the end of the program: so much silence, or time, is enough. */
const QUIET_MS = 100;
const DRAIN_MS = 1_000;

/** Both outputs of a program, read from the start, whether anybody wants them or not. */
export class Output {
  readonly lines: OutputLines;
  readonly errors = new Tail();
  /** Settles when both have ended, or were cut off. */
  readonly closed: Promise<void>;
  private close!: () => void;
  private isCut = false;
  private hasNews = false;
  private drainUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stdout: Readable,
    private readonly stderr: Readable,
    onUnreadable: (error: Error) => void,
    onErrorLine?: (line: string) => void,
  ) {
    const errorLines = onErrorLine && new ErrorLines(onErrorLine);
    this.lines = new OutputLines(stdout);
    this.closed = new Promise((resolve) => (this.close = resolve));
    stdout.on('data', (bytes: Buffer) => {
      this.hasNews = true;
      try {
        this.lines.push(bytes);
      } catch (error) {
        onUnreadable(error as Error);
      }
    });
    stderr.on('data', (bytes: Buffer) => {
      this.hasNews = true;
      this.errors.push(bytes);
      errorLines?.push(bytes);
    });
    for (const pipe of [stdout, stderr]) {
      // A pipe that breaks has ended.
      pipe.on('error', () => undefined);
      pipe.on('close', () => this.noteClose());
    }
  }

  /** The program has ended: what it wrote is in the pipes, and is read before they are given up. */
  drain(): void {
    this.drainUntil = performance.now() + DRAIN_MS;
    this.waitForQuiet();
  }

  /** Reads no more. */
  cut(): void {
    this.isCut = true;
    clearTimeout(this.timer);
    this.stdout.destroy();
    this.stderr.destroy();
    this.noteClose();
  }

  private waitForQuiet(): void {
    this.hasNews = false;
    // Timers come before input in a turn of the event loop: after a long pause there may be input to read first.
    this.timer = setTimeout(() => setImmediate(() => setImmediate(() => this.cutIfQuiet())), QUIET_MS);
  }

  private cutIfQuiet(): void {
    if (this.isCut || (this.stdout.closed && this.stderr.closed)) return;
    if (this.lines.isPaused) this.drainUntil = performance.now() + DRAIN_MS;
    const isOver = !this.hasNews || performance.now() > this.drainUntil;
    if (isOver && !this.lines.isPaused) this.cut();
    else this.waitForQuiet();
  }

  private noteClose(): void {
    if (this.isCut || this.stdout.closed) this.lines.end();
    if (!this.isCut && !(this.stdout.closed && this.stderr.closed)) return;
    clearTimeout(this.timer);
    this.close();
  }
}
