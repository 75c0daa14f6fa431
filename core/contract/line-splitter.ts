const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\uFEFF';

/** In bytes. Larger than anything that a well-behaved program or server sends as one line. */
const LINE_LIMIT = 16 * 1024 * 1024;

class LineTooLongError extends Error {
  readonly code = 'line_too_long';
}

/**
 * Cuts bytes into lines at the byte 0x0A alone, and decodes whole lines only: a character that was split between two
 * pieces arrives intact, and U+2028 inside a JSON text ends nothing.
 */
export class LineSplitter {
  /** The beginning of a line whose end has not arrived. It doubles as it grows, so a long line costs linear time. */
  private pending = Buffer.alloc(0);
  private pendingLength = 0;
  private isFirst = true;

  constructor(private readonly limit = LINE_LIMIT) {}

  /** Appends every line that the bytes complete. Throws a LineTooLongError. */
  push(piece: Uint8Array, lines: string[]): void {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      if (this.pendingLength > 0) {
        this.keep(bytes, start, end);
        lines.push(this.takePending());
      } else {
        if (end - start > this.limit) throw this.tooLong();
        lines.push(this.decode(bytes, start, end));
      }
      start = end + 1;
    }
    if (start < bytes.length) this.keep(bytes, start, bytes.length);
  }

  /** The end of the output: a last line that no line feed ended counts. */
  end(lines: string[]): void {
    if (this.pendingLength > 0) lines.push(this.takePending());
    this.pending = Buffer.alloc(0);
  }

  private keep(bytes: Buffer, start: number, end: number): void {
    const length = this.pendingLength + end - start;
    if (length > this.limit) throw this.tooLong();
    if (length > this.pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, Math.min(this.pending.length * 2, this.limit), 1024));
      this.pending.copy(larger, 0, 0, this.pendingLength);
      this.pending = larger;
    }
    bytes.copy(this.pending, this.pendingLength, start, end);
    this.pendingLength = length;
  }

  private takePending(): string {
    const line = this.decode(this.pending, 0, this.pendingLength);
    this.pendingLength = 0;
    // One long line must not cost its memory for as long as the output lasts.
    if (this.pending.length > 64 * 1024) this.pending = Buffer.alloc(0);
    return line;
  }

  private decode(bytes: Buffer, start: number, end: number): string {
    const last = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    const line = bytes.toString('utf8', start, last);
    if (!this.isFirst) return line;
    this.isFirst = false;
    return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  }

  private tooLong(): LineTooLongError {
    return new LineTooLongError(`a line is larger than ${this.limit / 1024 / 1024} MiB`);
  }
}
