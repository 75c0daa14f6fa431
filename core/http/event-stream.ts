import type { ByteSource } from './byte-source';
import { SseParser } from './sse';

/**
 * The events of a body. Written by hand because it is the hottest path: an event that has already arrived costs one
 * settled promise, and all events of one network read come out without a turn of the event loop.
 * Pulls only when it is empty, so a slow reader slows the socket down. `return` never waits, not even for a pending read.
 */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  private readonly parser = new SseParser();
  private events: string[] = [];
  private position = 0;
  private isDone = false;

  constructor(
    private readonly source: ByteSource,
    private readonly explain: (error: unknown) => Error,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<string, undefined>> {
    if (this.position < this.events.length) return Promise.resolve(this.shift());
    return this.refill();
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  private shift(): IteratorResult<string, undefined> {
    const value = this.events[this.position] as string;
    this.position += 1;
    return { done: false, value };
  }

  private async refill(): Promise<IteratorResult<string, undefined>> {
    this.events = [];
    this.position = 0;
    while (this.events.length === 0 && !this.isDone) this.parse(await this.takeBatch());
    return this.events.length > 0 ? this.shift() : { done: true, value: undefined };
  }

  /** A reader that has left is not interested in how the body ends. */
  private async takeBatch(): Promise<Uint8Array[] | undefined> {
    try {
      return await this.source.take();
    } catch (error) {
      if (this.isDone) return undefined;
      throw error;
    }
  }

  private parse(batch: Uint8Array[] | undefined): void {
    if (this.isDone) return;
    try {
      if (batch) for (const bytes of batch) this.parser.push(bytes, this.events);
      else this.parser.end(this.events);
    } catch (error) {
      this.stop();
      throw this.explain(error);
    }
    this.isDone = batch === undefined;
  }

  private stop(): void {
    this.isDone = true;
    this.events = [];
    this.position = 0;
    this.source.release();
  }
}
