import type { ChatEvent } from 'drivebay/plugin';
import { isFields, type Fields } from '../fields';
import type { MakeError } from './explain-error';

/** Reads the answers of one API. Events are appended to a list, because one piece may give none or several. */
export interface AnswerReader {
  /** The server has said its last word: nothing more needs to be read. */
  readonly isComplete: boolean;
  /** How long the stream may stay silent from here and still count as complete; undefined before the end is seen. */
  readonly patienceMs: number | undefined;
  /** Reads one piece of a stream. Throws the error that the server reports in it. */
  read(piece: Fields, events: ChatEvent[]): void;
  /** Appends what comes last, at the end of a stream. Throws when the answer was cut short. `isSaid`: by `[DONE]`. */
  conclude(events: ChatEvent[], isSaid: boolean): void;
  readWhole(answer: unknown, events: ChatEvent[]): void;
}

const QUOTE_LENGTH = 200;

/** Some servers answer a streamed request with one JSON object, some the other way round: the answer's type decides. */
export function isStream(wasAsked: boolean, contentType = ''): boolean {
  if (/^text\/event-stream/i.test(contentType)) return true;
  return wasAsked && !/^(application\/json|text\/html)/i.test(contentType);
}

/**
 * Reads a streamed answer, the events of one piece at a time. No generator: behind the driver's own, a second one costs
 * more for each piece of text than all other work on that piece.
 */
export class StreamReader {
  private readonly pieces: AsyncIterator<string>;
  private readonly events: ChatEvent[] = [];
  private isDone = false;

  constructor(
    pieces: AsyncIterable<string>,
    private readonly reader: AnswerReader,
    private readonly makeError: MakeError,
  ) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next events, valid until the next call; undefined when the answer is complete. */
  async next(): Promise<readonly ChatEvent[] | undefined> {
    this.events.length = 0;
    while (!this.isDone && this.events.length === 0) {
      const { patienceMs } = this.reader;
      const piece = patienceMs === undefined ? await this.pieces.next() : await this.lastPiece(patienceMs);
      if (!piece || piece.done) this.conclude(false);
      else if (piece.value.startsWith('[DONE]')) this.conclude(true);
      else if (piece.value !== '') this.read(piece.value);
    }
    return this.events.length > 0 ? this.events : undefined;
  }

  /** Not awaited: a read may still be pending on a stream that its server never ends. */
  stop(): void {
    void this.pieces.return?.();
  }

  private read(data: string): void {
    this.reader.read(parsePiece(data, this.makeError), this.events);
    if (this.reader.isComplete) this.conclude(true);
  }

  private conclude(isSaid: boolean): void {
    this.isDone = true;
    this.reader.conclude(this.events, isSaid);
  }

  /** After the finish the answer is whole: the way in which the connection ends does not matter any more. */
  private async lastPiece(patienceMs: number): Promise<IteratorResult<string> | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, patienceMs, undefined);
    });
    const next = this.pieces.next().catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'canceled') throw error;
      return undefined;
    });
    // A cancellation after the end of the patience has no listener any more.
    next.catch(() => undefined);
    try {
      return await Promise.race([next, patience]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The object in the data of one server-sent event. */
function parsePiece(data: string, makeError: MakeError): Fields {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw makeError('protocol', `a piece of the stream is not JSON: ${data.slice(0, QUOTE_LENGTH)}`, { cause: error });
  }
  if (isFields(value)) return value;
  throw makeError('protocol', `a piece of the stream is no JSON object: ${data.slice(0, QUOTE_LENGTH)}`);
}

export function truncated(makeError: MakeError, hasBegun: boolean): Error {
  const where = hasBegun ? 'in the middle of the answer' : 'before the answer began';
  return makeError('protocol', `the stream ended ${where}`, { kind: 'truncated' });
}

/** The object that a whole answer has to be. */
export function objectIn(answer: unknown, makeError: MakeError): Fields {
  if (isFields(answer)) return answer;
  throw makeError('protocol', 'the answer is JSON, but no object');
}

/** The error for an object that is no answer of the API: it lacks the field that every answer has. */
export function foreignAnswer(answer: Fields, missing: string, hint: string, makeError: MakeError): Error {
  const names = Object.keys(answer).join(', ') || 'none';
  return makeError('protocol', `the answer has no ${missing} (its fields: ${names})`, { hint });
}
