import type { ChatEvent, HttpResponse } from 'drivebay/plugin';
import { parsePiece } from '../_shared/chat-completions/stream-piece';
import type { MakeError } from './answer-error';
import type { AnswerReader } from './answer-reader';

/**
 * Reads a streamed answer, the events of one piece at a time. No generator: behind the driver's own, a second one would
 * cost each piece of text more than everything else that is done with it.
 */
export class StreamReader {
  private readonly pieces: AsyncIterator<string>;
  private readonly events: ChatEvent[] = [];

  constructor(
    response: HttpResponse,
    private readonly reader: AnswerReader,
    private readonly makeError: MakeError,
  ) {
    this.pieces = response.events()[Symbol.asyncIterator]();
  }

  /** The next events, valid until the next call; undefined when the answer was complete. */
  async next(): Promise<readonly ChatEvent[] | undefined> {
    this.events.length = 0;
    while (!this.reader.isComplete && this.events.length === 0) {
      const piece = await this.pieces.next();
      if (piece.done) throw this.truncated();
      if (piece.value !== '') this.reader.read(parsePiece(piece.value, this.makeError), this.events);
    }
    return this.events.length > 0 ? this.events : undefined;
  }

  /** Not awaited: a read may still be pending on a stream that its server never ends. */
  stop(): void {
    void this.pieces.return?.();
  }

  private truncated(): Error {
    const where = this.reader.hasBegun ? 'in the middle of the answer' : 'before the answer began';
    return this.makeError('protocol', `the stream ended ${where}`, { kind: 'truncated' });
  }
}
