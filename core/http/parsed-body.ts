import type { ByteSource } from './byte-source';

/** Makes texts of bytes that are split anywhere. What it throws ends the body. */
export interface BodyParser {
  /** Appends every text that the bytes complete. */
  push(bytes: Uint8Array, texts: string[]): void;
  /** The end of the body. */
  end(texts: string[]): void;
}

/**
 * The events or lines of a body. Written by hand because it is the hottest path: a text that has already arrived costs one
 * settled promise, and all texts of one network read come out without a turn of the event loop.
 * Pulls only when it is empty, so a slow reader slows the socket down. `return` never waits, not even for a pending read.
 */
export class ParsedBody implements AsyncIterableIterator<string, undefined> {
  private texts: string[] = [];
  private position = 0;
  private isDone = false;

  constructor(
    private readonly source: ByteSource,
    private readonly parser: BodyParser,
    private readonly explain: (error: unknown) => Error,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<string, undefined>> {
    if (this.position < this.texts.length) return Promise.resolve(this.shift());
    return this.refill();
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  private shift(): IteratorResult<string, undefined> {
    const value = this.texts[this.position] as string;
    this.position += 1;
    return { done: false, value };
  }

  private async refill(): Promise<IteratorResult<string, undefined>> {
    this.texts = [];
    this.position = 0;
    while (this.texts.length === 0 && !this.isDone) this.parse(await this.takeBatch());
    return this.texts.length > 0 ? this.shift() : { done: true, value: undefined };
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
      if (batch) for (const bytes of batch) this.parser.push(bytes, this.texts);
      else this.parser.end(this.texts);
    } catch (error) {
      this.stop();
      throw this.explain(error);
    }
    this.isDone = batch === undefined;
  }

  private stop(): void {
    this.isDone = true;
    this.texts = [];
    this.position = 0;
    this.source.release();
  }
}
