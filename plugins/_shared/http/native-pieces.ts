import type { ChatEvent } from 'drivebay/plugin';
import { isFields, type Fields } from '../fields';
import type { AnswerReader } from './answer-reader';

/**
 * Reads an answer for a client of the same wire: each piece comes as it is, before the events that say the same. A server
 * that answers a stream with one body, or the other way round, gives no piece that the client could read.
 */
export class NativePieces implements AnswerReader {
  constructor(
    private readonly reader: AnswerReader,
    private readonly wantsStream: boolean,
  ) {}

  get isComplete(): boolean {
    return this.reader.isComplete;
  }

  get patienceMs(): number | undefined {
    return this.reader.patienceMs;
  }

  read(piece: Fields, events: ChatEvent[]): void {
    const parts = this.reader.spread?.(piece);
    if (!parts) this.pass(piece, events);
    else for (const part of parts) this.pass(part, events);
  }

  private pass(piece: Fields, events: ChatEvent[]): void {
    if (this.wantsStream) events.push({ type: 'native', value: piece });
    this.reader.read(piece, events);
  }

  conclude(events: ChatEvent[], isSaid: boolean): void {
    this.reader.conclude(events, isSaid);
  }

  readWhole(answer: unknown, events: ChatEvent[]): void {
    if (!this.wantsStream && isFields(answer)) events.push({ type: 'native', value: answer });
    this.reader.readWhole(answer, events);
  }
}
