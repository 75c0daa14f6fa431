/** A body that is read in batches: everything that has arrived comes in one turn of the event loop. */
export interface ByteSource {
  /** The next batch, never empty; undefined at the end. */
  take(): Promise<Uint8Array[] | undefined>;
  /** The reader leaves early. A small rest may still be read in the background to keep the connection. */
  release(): void;
}

/** Makes items of bytes that are split anywhere. An error that it throws ends the body. */
export interface BodyParser<Item> {
  /** Appends every item that the bytes complete. */
  push(bytes: Uint8Array, items: Item[]): void;
  end(items: Item[]): void;
}

/** For a body that is read as it arrives. */
export const UNPARSED: BodyParser<Uint8Array> = {
  push: (bytes, items) => void items.push(bytes),
  end: () => undefined,
};

/**
 * The events, lines or bytes of a body. Written by hand because it is the hottest path: an item that has already arrived
 * costs one settled promise, and all items of one network read come out without a turn of the event loop.
 * Pulls only when it is empty, so a slow reader slows the socket down. `return` never waits, not even for a pending read.
 */
export class ParsedBody<Item> implements AsyncIterableIterator<Item, undefined> {
  private items: Item[] = [];
  private position = 0;
  private isDone = false;
  /** Its reader has left: a failure of the body does not matter any more. */
  private isLeft = false;

  constructor(
    private readonly source: ByteSource,
    private readonly parser: BodyParser<Item>,
    private readonly explain: (error: unknown) => unknown = (error) => error,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.position < this.items.length) return Promise.resolve(this.shift());
    return this.refill();
  }

  return(): Promise<IteratorResult<Item, undefined>> {
    this.isLeft = true;
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  private shift(): IteratorResult<Item, undefined> {
    const value = this.items[this.position] as Item;
    this.position += 1;
    return { done: false, value };
  }

  /** Speed: the frame of an async function would be kept for as long as the body is silent. */
  private refill(): Promise<IteratorResult<Item, undefined>> {
    this.items = [];
    this.position = 0;
    return this.isDone
      ? Promise.resolve({ done: true, value: undefined })
      : this.source.take().then(this.accept, this.fail);
  }

  private readonly accept = (
    batch: Uint8Array[] | undefined,
  ): Promise<IteratorResult<Item, undefined>> | IteratorResult<Item, undefined> => {
    this.parse(batch);
    return this.items.length > 0 ? this.shift() : this.search();
  };

  /** Of bytes that complete no item: a promise for each batch of them, inside of the one before, would stay until the item. */
  private async search(): Promise<IteratorResult<Item, undefined>> {
    try {
      while (this.items.length === 0 && !this.isDone) this.parse(await this.source.take());
    } catch (error) {
      return this.fail(error);
    }
    return this.items.length > 0 ? this.shift() : { done: true, value: undefined };
  }

  private readonly fail = (error: unknown): IteratorResult<Item, undefined> => {
    if (!this.isLeft) throw error;
    return { done: true, value: undefined };
  };

  private parse(batch: Uint8Array[] | undefined): void {
    if (this.isDone) return;
    try {
      if (batch) for (const bytes of batch) this.parser.push(bytes, this.items);
      else this.parser.end(this.items);
    } catch (error) {
      this.stop();
      throw this.explain(error);
    }
    this.isDone = batch === undefined;
  }

  private stop(): void {
    this.isDone = true;
    this.items = [];
    this.position = 0;
    this.source.release();
  }
}
