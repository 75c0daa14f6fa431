import type { ChatEvent, DriverContext } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/chat-completions/fields';
import type { AnswerReader } from './answer-reader';

/**
 * How long a stream that has finished may stay silent. Some models say in every piece that they have finished, so this is
 * no time that the vendor needs to end a stream, which it does at once.
 */
const LINGER_MS = 2_000;
const QUOTE_LENGTH = 200;

/**
 * Reads a streamed answer, the events of one piece at a time. No generator: behind the driver's own, a second one would
 * cost each piece of text more than everything else that is done with it.
 */
export class StreamReader {
  private readonly pieces: AsyncIterator<string>;
  private readonly events: ChatEvent[] = [];
  private isDone = false;

  constructor(
    pieces: AsyncIterable<string>,
    private readonly reader: AnswerReader,
    private readonly makeError: DriverContext['error'],
  ) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next events, valid until the next call; undefined when the answer was complete. */
  async next(): Promise<readonly ChatEvent[] | undefined> {
    this.events.length = 0;
    while (!this.isDone && this.events.length === 0) {
      const piece = this.reader.isFinished ? await this.lastPiece() : await this.pieces.next();
      // The vendor ends its streams without a word; some proxies say the one of other vendors.
      if (!piece || piece.done || piece.value.startsWith('[DONE]')) this.conclude();
      else if (piece.value !== '') this.reader.read(this.parse(piece.value), this.events);
    }
    return this.events.length > 0 ? this.events : undefined;
  }

  /** Not awaited: a read may still be pending on a stream that its server never ends. */
  stop(): void {
    void this.pieces.return?.();
  }

  private conclude(): void {
    this.isDone = true;
    this.reader.conclude(this.events);
  }

  /** After the finish the answer is whole: how the connection ends does not matter any more. */
  private async lastPiece(): Promise<IteratorResult<string> | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, LINGER_MS, undefined);
    });
    const next = this.pieces.next().catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'canceled') throw error;
      return undefined;
    });
    // When patience ends first, nobody is left to hear of a cancellation.
    next.catch(() => undefined);
    try {
      return await Promise.race([next, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  private parse(data: string): Fields {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch (error) {
      throw this.makeError('protocol', `a piece of the stream is not JSON: ${data.slice(0, QUOTE_LENGTH)}`, {
        cause: error,
      });
    }
    if (isFields(value)) return value;
    throw this.makeError('protocol', `a piece of the stream is no JSON object: ${data.slice(0, QUOTE_LENGTH)}`);
  }
}
