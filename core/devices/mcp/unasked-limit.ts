/** How much a server may say between two questions of ours: an answer, and what it tells about its work. */
const MOST_MESSAGES = 20_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Tells a server that floods us from one that has much to say. */
export class UnaskedLimit {
  private messages = 0;
  private bytes = 0;

  /** We have asked something. */
  reset(): void {
    this.messages = 0;
    this.bytes = 0;
  }

  /** Throws when it is too much. */
  note(bytes: number, messages = 1): void {
    this.messages += messages;
    this.bytes += bytes;
    if (this.messages <= MOST_MESSAGES && this.bytes <= MOST_BYTES) return;
    throw new Error(`it wrote over ${MOST_MESSAGES} messages or ${MOST_BYTES / 1024 / 1024} MiB without being asked`);
  }
}
