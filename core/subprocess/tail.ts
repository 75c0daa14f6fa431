const LIMIT = 64 * 1024;
const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;

/** The last 64 KiB of a stream of bytes. */
export class Tail {
  private kept = Buffer.alloc(0);

  constructor(private readonly limit = LIMIT) {}

  push(bytes: Buffer): void {
    this.kept = Buffer.concat([this.kept, bytes]).subarray(-this.limit);
  }

  /** Begins with a whole character. */
  get text(): string {
    const start = this.kept.findIndex((byte) => (byte & CONTINUATION_MASK) !== CONTINUATION);
    return this.kept.toString('utf8', Math.max(start, 0));
  }
}
