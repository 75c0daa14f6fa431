import type { ChatEvent, HttpResponse } from 'drivebay/plugin';
import { isFields } from '../fields';
import type { ToolNames } from '../tool-names';
import type { AnswerReader } from './answer-reader';
import type { MakeError } from './explain-error';
import { parsePiece } from './parse-piece';

/** An answer whose head has come. */
export interface OpenAnswer {
  names: ToolNames | undefined;
  /** Names of the client's fields that have no effect. */
  ignored: string[];
  response: HttpResponse;
  reader: AnswerReader;
  isStreamed: boolean;
  /** The client speaks the wire of the answer: each piece comes as it is, before the events that say the same. */
  isNative: boolean;
}

/**
 * An answer as the events of a driver. Written by hand because it is the hottest path of a driver: behind one another,
 * generators take more time for each piece of text than all other work on it, and each holds memory as long as the answer.
 */
export class AnswerEvents implements AsyncIterableIterator<ChatEvent, undefined> {
  private readonly events: ChatEvent[] = [];
  private position = 0;
  private answer: OpenAnswer | undefined;
  private pieces: AsyncIterator<string> | undefined;
  private isDone = false;
  private failure: Error | undefined;

  /** `explain` makes the error that core gets of any failure. */
  constructor(
    private opening: Promise<OpenAnswer> | undefined,
    private readonly makeError: MakeError,
    private readonly explain: (error: unknown) => Error,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ChatEvent, undefined>> {
    return this.position < this.events.length ? Promise.resolve(this.shift()) : this.refill();
  }

  /** Never waits, not even for a pending read. */
  return(): Promise<IteratorResult<ChatEvent, undefined>> {
    this.events.length = 0;
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  private shift(): IteratorResult<ChatEvent, undefined> {
    const event = this.events[this.position]!;
    this.position += 1;
    const names = this.answer?.names;
    return { done: false, value: names ? names.restore(event) : event };
  }

  /** Speed: the frame of an async function would be kept for as long as the answer is silent. */
  private refill(): Promise<IteratorResult<ChatEvent, undefined>> {
    this.events.length = 0;
    this.position = 0;
    if (this.isDone) return this.atEnd();
    return this.pieces
      ? this.nextPiece(this.pieces).then(this.taken, this.fail)
      : this.begin().then(this.begun, this.fail);
  }

  private readonly begun = () => (this.events.length > 0 ? this.shift() : this.refill());

  private readonly taken = (piece: IteratorResult<string> | undefined) => {
    try {
      this.read(piece);
    } catch (error) {
      return this.fail(error);
    }
    return this.events.length > 0 ? this.shift() : this.search();
  };

  /** Of pieces that say nothing: a promise for each of them, inside of the one before, would stay until the next event. */
  private async search(): Promise<IteratorResult<ChatEvent, undefined>> {
    try {
      while (this.events.length === 0 && !this.isDone) this.read(await this.nextPiece(this.pieces!));
    } catch (error) {
      return this.fail(error);
    }
    return this.events.length > 0 ? this.shift() : { done: true, value: undefined };
  }

  /** Yields the usage of the answer so far before the failure. */
  private readonly fail = (error: unknown): IteratorResult<ChatEvent, undefined> => {
    this.stop();
    const failure = this.explain(error);
    const usage = this.events.findLast(({ type }) => type === 'usage');
    if (!usage) throw failure;
    this.failure = failure;
    this.events.splice(0, Infinity, usage);
    return this.shift();
  };

  private atEnd(): Promise<IteratorResult<ChatEvent, undefined>> {
    const { failure } = this;
    this.failure = undefined;
    return failure ? Promise.reject(failure) : Promise.resolve({ done: true, value: undefined });
  }

  /** Until the answer is a stream. */
  private begin(): Promise<void> {
    return this.opening ? this.open(this.opening) : this.readWhole(this.answer!);
  }

  private async open(opening: Promise<OpenAnswer>): Promise<void> {
    const answer = await opening;
    this.opening = undefined;
    if (this.isDone) {
      answer.response.discard();
      return;
    }
    this.answer = answer;
    if (answer.ignored.length > 0) this.events.push({ type: 'meta', ignored: answer.ignored });
    if (answer.isStreamed) this.pieces = answer.response.events()[Symbol.asyncIterator]();
  }

  private async readWhole({ response, reader, isNative }: OpenAnswer): Promise<void> {
    const whole = await response.json();
    if (this.isDone) return;
    if (isNative && isFields(whole)) this.events.push({ type: 'native', value: whole });
    reader.readWhole(whole, this.events);
    this.stop();
  }

  private nextPiece(pieces: AsyncIterator<string>): Promise<IteratorResult<string> | undefined> {
    const { patienceMs } = this.answer!.reader;
    return patienceMs === undefined ? pieces.next() : this.lastPiece(pieces, patienceMs);
  }

  private read(piece: IteratorResult<string> | undefined): void {
    if (this.isDone) return;
    if (!piece || piece.done) this.conclude(false);
    else if (piece.value.startsWith('[DONE]')) this.conclude(true);
    else if (piece.value !== '') {
      const { reader, isNative } = this.answer!;
      const fields = parsePiece(piece.value, this.makeError);
      if (isNative) this.events.push({ type: 'native', value: fields });
      reader.read(fields, this.events);
      if (reader.isComplete) this.conclude(true);
    }
  }

  private conclude(isSaid: boolean): void {
    this.answer!.reader.conclude(this.events, isSaid);
    this.stop();
  }

  /** Not awaited: a read may still be pending on a stream that its server never ends. */
  private stop(): void {
    if (this.isDone) return;
    this.isDone = true;
    if (this.pieces) void this.pieces.return?.();
    else this.answer?.response.discard();
  }

  /** After the finish the answer is whole: the way in which the connection ends does not matter any more. */
  private async lastPiece(
    pieces: AsyncIterator<string>,
    patienceMs: number,
  ): Promise<IteratorResult<string> | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, patienceMs, undefined);
    });
    const next = pieces.next().catch((error: unknown) => {
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
