/** A body that is read in batches: everything that has arrived comes in one turn of the event loop. */
export interface ByteSource {
  /** The next batch, never empty; undefined at the end. */
  take(): Promise<Uint8Array[] | undefined>;
  /** The reader leaves early. A small rest may still be read in the background to keep the connection. */
  release(): void;
}

/** The bytes of a source, one piece at a time. */
export async function* readBytes(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let batch = await source.take(); batch; batch = await source.take()) yield* batch;
  } finally {
    source.release();
  }
}
