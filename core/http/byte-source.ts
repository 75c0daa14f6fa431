/** A body that is read in batches: everything that has arrived comes in one turn of the event loop. */
export interface ByteSource {
  /** The next batch, never empty; undefined at the end. */
  take(): Promise<Uint8Array[] | undefined>;
  /** The reader leaves early. A small rest may still be read in the background to keep the connection. */
  release(): void;
}

/** The bytes of a source, one piece at a time. `return` never waits, not even for a pending read. */
export function readBytes(source: ByteSource): AsyncIterableIterator<Uint8Array, undefined> {
  let batch: Uint8Array[] = [];
  let isDone = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (batch.length === 0 && !isDone) {
        const taken = await source.take();
        if (taken) batch = taken;
        else isDone = true;
      }
      const value = batch.shift();
      return value ? { done: false, value } : { done: true, value: undefined };
    },
    return() {
      isDone = true;
      batch = [];
      source.release();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
