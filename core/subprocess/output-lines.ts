import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineSplitter } from '../line-splitter';

/** The program is read ahead eagerly: some programs lose the output that they could not write before they exit. */
const READ_AHEAD = 32 * 1024 * 1024;
/** The cost of a line beside its characters. */
const LINE_OVERHEAD = 48;
/** Taken lines are let go in bunches: taking one off the front of a list moves all others. */
const COMPACT_AFTER = 10_000;
/** How much may be handled before the rest of the program has a turn. */
const PER_TURN = 256 * 1024;

/** The source of the bytes, as far as it matters here. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** The lines of an output, between the pipe that delivers them and the loop that takes them. */
export class OutputLines {
  private readonly splitter = new LineSplitter();
  private queue: string[] = [];
  private next = 0;
  private queued = 0;
  private sinceTurn = 0;
  private waiting: (() => void)[] = [];
  private failure: Error | undefined;
  private state: 'open' | 'ended' | 'discarding' = 'open';
  /** Whether the source waits for the loop. */
  isPaused = false;

  constructor(private readonly source: Pausable) {}

  /** Throws a LineTooLongError. */
  push(bytes: Buffer): void {
    if (this.state !== 'open') return;
    const known = this.queue.length;
    this.splitter.push(bytes, this.queue);
    if (this.queue.length === known) return;
    for (let index = known; index < this.queue.length; index += 1) this.queued += costOf(this.queue[index]);
    if (this.queued > READ_AHEAD && !this.isPaused) {
      this.isPaused = true;
      this.source.pause();
    }
    this.wake();
  }

  /** After the lines that are there the loop ends, or throws the error. */
  end(error?: Error): void {
    if (this.state !== 'open') return;
    // A failure leaves the last line unfinished.
    if (!error) this.splitter.end(this.queue);
    this.failure = error;
    this.state = 'ended';
    this.wake();
  }

  /** The loop ends at once, or throws the error. The source flows, so that the program does not hang on a full pipe. */
  discard(error?: Error): void {
    this.failure = error ?? this.failure;
    this.queue = [];
    this.next = 0;
    this.queued = 0;
    this.state = 'discarding';
    this.continueReading();
    this.wake();
  }

  async take(): Promise<IteratorResult<string, undefined>> {
    for (;;) {
      const line = this.queue[this.next];
      if (line !== undefined) {
        if (this.sinceTurn > PER_TURN) {
          this.sinceTurn = 0;
          await nextTurn();
          continue;
        }
        this.shift(line);
        return { done: false, value: line };
      }
      if (this.failure) throw this.failure;
      if (this.state !== 'open') return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      this.sinceTurn = 0;
    }
  }

  private shift(line: string): void {
    const cost = costOf(line);
    this.next += 1;
    this.queued -= cost;
    this.sinceTurn += cost;
    if (this.next === this.queue.length || this.next > COMPACT_AFTER) {
      this.queue = this.queue.slice(this.next);
      this.next = 0;
    }
    if (this.isPaused && this.queued < READ_AHEAD / 2) this.continueReading();
  }

  private continueReading(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.source.resume();
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function costOf(line = ''): number {
  return line.length + LINE_OVERHEAD;
}
