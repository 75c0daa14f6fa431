import { StringDecoder } from 'node:string_decoder';

/** Of one event, or one line of it. In UTF-16 units, which are at most as many as the bytes they came in. */
export const EVENT_LIMIT = 16 * 1024 * 1024;

/** For reads that end with a whole character. It keeps nothing from one to the next. */
const WHOLE = new TextDecoder('utf-8', { ignoreBOM: true });

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses server-sent events from bytes that are split anywhere. Delivers the data of each event; the type of an event is
 * left out, so an `event: error` comes out as its data. A field named `error` counts as data: some servers report a
 * failure in the middle of a stream that way.
 */
export class SseParser {
  /** Keeps the beginning of a character that two reads share. Undefined as long as every read has ended with ASCII. */
  private decoder: StringDecoder | undefined;
  /** The beginning of a line whose end has not arrived. Joined once, so a long line costs linear time. */
  private pieces: string[] = [];
  private pendingLength = 0;
  private data: string | undefined;
  private isStart = true;
  private endedWithReturn = false;

  /** Appends the data of every event that the bytes complete. */
  push(bytes: Uint8Array, events: string[]): void {
    this.read(this.decode(bytes), events);
  }

  /** The end of the stream: an event that no blank line ended is delivered all the same. */
  end(events: string[]): void {
    this.read(`${this.decoder?.end() ?? ''}\n\n`, events);
  }

  private decode(bytes: Uint8Array): string {
    if (!this.decoder && bytes[bytes.length - 1]! < 0x80) return WHOLE.decode(bytes);
    this.decoder ??= new StringDecoder('utf8');
    return this.decoder.write(bytes);
  }

  private read(decoded: string, events: string[]): void {
    if (decoded === '') return;
    const text = this.isStart && decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
    this.isStart = false;
    // A line feed after a carriage return ends the same line, even when the two arrive apart.
    let start = this.endedWithReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.endedWithReturn = false;
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed !== -1 || carriage !== -1) {
      const isReturn = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = isReturn ? carriage : feed;
      this.readLine(this.takeLine(text, start, end), events);
      start = end + 1;
      if (isReturn && feed === start) start += 1;
      else if (isReturn && start === text.length) this.endedWithReturn = true;
      if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
      if (carriage !== -1 && carriage < start) carriage = text.indexOf('\r', start);
    }
    if (start < text.length) this.keep(start === 0 ? text : text.slice(start));
  }

  private takeLine(text: string, start: number, end: number): string {
    const line = text.slice(start, end);
    if (this.pieces.length === 0) return line;
    this.pieces.push(line);
    const whole = this.pieces.join('');
    this.pieces = [];
    this.pendingLength = 0;
    return whole;
  }

  private keep(piece: string): void {
    this.pieces.push(piece);
    this.pendingLength += piece.length;
    this.checkSize(this.pendingLength);
  }

  private readLine(line: string, events: string[]): void {
    if (line === '') {
      if (this.data !== undefined) events.push(this.data);
      this.data = undefined;
      return;
    }
    const value = valueOf(line, 'data') ?? valueOf(line, 'error');
    if (value === undefined) return;
    this.data = this.data === undefined ? value : `${this.data}\n${value}`;
    this.checkSize(this.data.length);
  }

  private checkSize(length: number): void {
    if (length > EVENT_LIMIT) throw new Error(`an event is larger than ${EVENT_LIMIT / 1024 / 1024} MiB`);
  }
}

/** The value of a line if it is of that field, without the one space that may follow the colon. */
function valueOf(line: string, field: string): string | undefined {
  if (!line.startsWith(field)) return undefined;
  if (line.length === field.length) return '';
  if (line.charCodeAt(field.length) !== 0x3a) return undefined;
  return line.slice(line.charCodeAt(field.length + 1) === 0x20 ? field.length + 2 : field.length + 1);
}
