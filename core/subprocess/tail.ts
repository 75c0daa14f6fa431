const LIMIT = 64 * 1024;
const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;

/** The last 64 KiB of a stream of bytes, in a ring that does not grow. */
export class Tail {
  private ring: Buffer | undefined;
  private written = 0;

  constructor(private readonly limit = LIMIT) {}

  push(bytes: Buffer): void {
    this.ring ??= Buffer.allocUnsafe(this.limit);
    const rest = bytes.length > this.limit ? bytes.subarray(bytes.length - this.limit) : bytes;
    const at = (this.written + bytes.length - rest.length) % this.limit;
    const fitting = rest.copy(this.ring, at);
    rest.copy(this.ring, 0, fitting);
    this.written += bytes.length;
  }

  /** Begins with a whole character. */
  get text(): string {
    if (!this.ring) return '';
    if (this.written <= this.limit) return this.ring.toString('utf8', 0, this.written);
    const at = this.written % this.limit;
    const bytes = Buffer.concat([this.ring.subarray(at), this.ring.subarray(0, at)]);
    let start = 0;
    while (start < 3 && ((bytes[start] ?? 0) & CONTINUATION_MASK) === CONTINUATION) start += 1;
    return bytes.toString('utf8', start);
  }
}
