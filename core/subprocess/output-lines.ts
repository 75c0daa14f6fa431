import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineSplitter } from '../contract/line-splitter';

/** The program is read ahead eagerly: some programs lose the output that they could not write before they exit. */
const READ_AHEAD = 32 * 1024 * 1024;
/** The cost of a line beside its characters. */
const LINE_OVERHEAD = 48;
/** Taken lines are let go in bunches: taking one off the front of a list moves all others. */
const COMPACT_AFTER = 10_000;
/** How much may be handled before the rest of the program has a turn. */
const PER_TURN = 256 * 1024;

/** How the output of a program is read. */
export type OutputForm = 'lines' | 'bytes';

type Item = string | Uint8Array;

/** Cuts bytes into items. */
interface Cutter {
  push(bytes: Buffer, items: Item[]): void;
  end(items: Item[]): void;
}

const UNCUT: Cutter = { push: (bytes, items) => void items.push(bytes), end: () => undefined };

/** The lines or the bytes of an output, between the pipe that delivers them and the loop that takes them. */
export class OutputLines {
  private form: OutputForm | undefined;
  /** Until the output is read in one of the forms, its bytes are kept as they came. */
  private cutter = UNCUT;
  private queue: Item[] = [];
  private next = 0;
  private queued = 0;
  private sinceTurn = 0;
  private waiting: (() => void)[] = [];
  private failure: Error | undefined;
  private state: 'open' | 'ended' | 'discarding' = 'open';
  /** Whether the source waits for the loop. */
  isPaused = false;

  /** `onUnreadable` is called for a line that is too long. */
  constructor(
    private readonly source: Pick<Readable, 'pause' | 'resume'>,
    private readonly onUnreadable: (error: Error) => void,
  ) {}

  /** Called by each loop. Throws when the output is read in the other form already. */
  readAs(form: OutputForm): void {
    if (this.form !== undefined && this.form !== form) throw new Error(`the output is read as ${this.form} already`);
    if (this.form === form) return;
    this.form = form;
    if (form === 'bytes') return;
    const early = this.queue as Buffer[];
    this.cutter = new LineSplitter();
    this.queue = [];
    this.queued = 0;
    for (const bytes of early) if (!this.failure) this.cut(bytes);
    if (this.state === 'ended' && !this.failure) this.cutter.end(this.queue);
  }

  push(bytes: Buffer): void {
    if (this.state === 'open') this.cut(bytes);
  }

  private cut(bytes: Buffer): void {
    const known = this.queue.length;
    try {
      this.cutter.push(bytes, this.queue);
    } catch (error) {
      this.onUnreadable(error as Error);
    }
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
    if (!error) this.cutter.end(this.queue);
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

  async take<Taken>(): Promise<IteratorResult<Taken, undefined>> {
    for (;;) {
      const line = this.queue[this.next];
      if (line !== undefined) {
        if (this.sinceTurn > PER_TURN) {
          this.sinceTurn = 0;
          await nextTurn();
          continue;
        }
        this.shift(line);
        return { done: false, value: line as Taken };
      }
      if (this.failure) throw this.failure;
      if (this.state !== 'open') return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      this.sinceTurn = 0;
    }
  }

  private shift(line: Item): void {
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

function costOf(line: Item = ''): number {
  return line.length + LINE_OVERHEAD;
}
