import type { ChatEvent } from 'drivebay/plugin';
import type { WireAnswer } from './answer';
import type { MakeError } from './answer-error';
import type { AnswerReader } from './answer-reader';
import { parsePiece } from './stream-piece';

/** How long the usage may follow after the last finish; some servers never end the stream. */
const USAGE_WAIT_MS = 1_000;

/**
 * Reads a streamed answer, the events of one piece at a time. No generator: behind the driver's own, a second one would
 * cost each piece of text more than everything else that is done with it.
 */
export class StreamReader {
  private readonly pieces: AsyncIterator<string>;
  private readonly events: ChatEvent[] = [];
  private patience: Promise<undefined> | undefined;
  private isDone = false;

  constructor(
    answer: WireAnswer,
    private readonly reader: AnswerReader,
    private readonly makeError: MakeError,
  ) {
    this.pieces = answer.events()[Symbol.asyncIterator]();
  }

  /** The next events, valid until the next call; undefined when the answer was complete. */
  async next(): Promise<readonly ChatEvent[] | undefined> {
    this.events.length = 0;
    while (!this.isDone && this.events.length === 0) {
      const piece = await this.readPiece();
      if (piece === undefined) this.conclude(false);
      else if (piece.startsWith('[DONE]')) this.conclude(true);
      else if (piece !== '') this.readEvents(piece);
    }
    return this.events.length > 0 ? this.events : undefined;
  }

  /** Not awaited: a read may still be pending on a stream that its server never ends. */
  stop(): void {
    void this.pieces.return?.();
  }

  private async readPiece(): Promise<string | undefined> {
    if (this.reader.isFinished) this.patience ??= wait(USAGE_WAIT_MS);
    const piece = this.patience ? await lastPiece(this.pieces, this.patience) : await this.pieces.next();
    return piece?.done === false ? piece.value : undefined;
  }

  private readEvents(piece: string): void {
    this.reader.read(parsePiece(piece, this.makeError), this.events);
    if (this.reader.isComplete) this.conclude(true);
  }

  private conclude(saidSo: boolean): void {
    if (!saidSo && !this.reader.isFinished) {
      throw this.makeError('protocol', describeEnd(this.reader), { kind: 'truncated' });
    }
    this.isDone = true;
    this.reader.conclude(this.events);
  }
}

function describeEnd(reader: AnswerReader): string {
  return reader.hasChoices
    ? 'the stream ended in the middle of the answer'
    : 'the stream ended before the answer began';
}

/** After the finish the answer is whole: how the connection ends does not matter any more. */
async function lastPiece(
  pieces: AsyncIterator<string>,
  patience: Promise<undefined>,
): Promise<IteratorResult<string> | undefined> {
  const next = pieces.next().catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'canceled') throw error;
    return undefined;
  });
  // When patience ends first, nobody is left to hear of a cancellation.
  next.catch(() => undefined);
  return Promise.race([next, patience]);
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, undefined).unref();
  });
}
