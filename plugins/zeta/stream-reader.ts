import type { ChatEvent, DriverContext } from 'drivebay/plugin';
import { parsePiece } from '../_shared/chat-completions/stream-piece';
import type { AnswerReader } from './answer-reader';

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
      const { patienceMs } = this.reader;
      const piece = patienceMs === undefined ? await this.pieces.next() : await this.lastPiece(patienceMs);
      // The vendor ends its streams without a word; some proxies say the one of other vendors.
      if (!piece || piece.done || piece.value.startsWith('[DONE]')) this.conclude();
      else if (piece.value !== '') this.reader.read(parsePiece(piece.value, this.makeError), this.events);
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
  private async lastPiece(patienceMs: number): Promise<IteratorResult<string> | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, patienceMs, undefined);
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
}
