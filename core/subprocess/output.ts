import type { Readable } from 'node:stream';
import { LineSplitter } from '../contract/line-splitter';
import { OutputLines } from './output-lines';
import { Tail } from './tail';

/** Another process may hold the pipes open after the end of the program. They are read until this much silence, ... */
const QUIET_MS = 100;
/** ... or for this long. */
const DRAIN_MS = 1_000;
/** In bytes. A longer line of the standard error is no message. */
const ERROR_LINE_LIMIT = 64 * 1024;

/** Both outputs of a program. They are read from the start, also while no loop takes the lines. */
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
    const takeErrors = onErrorLine && splitErrors(onErrorLine);
    this.lines = new OutputLines(stdout, onUnreadable);
    this.closed = new Promise((resolve) => (this.close = resolve));
    stdout.on('data', (bytes: Buffer) => {
      this.hasNews = true;
      this.lines.push(bytes);
    });
    stderr.on('data', (bytes: Buffer) => {
      this.hasNews = true;
      this.errors.push(bytes);
      takeErrors?.(bytes);
    });
    for (const pipe of [stdout, stderr]) {
      // A pipe that breaks has ended.
      pipe.on('error', () => undefined);
      pipe.on('close', () => this.noteClose());
    }
  }

  /** Call it when the program has ended: its last output is in the pipes, and is read before they are given up. */
  drain(): void {
    this.drainUntil = performance.now() + DRAIN_MS;
    this.waitForQuiet();
  }

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

/** Takes the bytes of a standard error, and hands its lines to a listener while they arrive. */
export function splitErrors(listener: (line: string) => void): (bytes: Buffer) => void {
  let splitter = new LineSplitter(ERROR_LINE_LIMIT);
  return (bytes) => {
    const lines: string[] = [];
    try {
      splitter.push(bytes, lines);
    } catch {
      // A line is too long: the rest of it reads as a line of its own.
      splitter = new LineSplitter(ERROR_LINE_LIMIT);
    }
    for (const line of lines) listener(line);
  };
}
