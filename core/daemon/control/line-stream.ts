import type { ServerResponse } from 'node:http';
import { untilDrained } from '../../serving/send';

/** Lines of a log that wait for a client that does not read. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

/** How many characters are written at once: each write has its cost, and the records of processes are long. */
const PIECE_LENGTH = 64 * 1024;

/** An answer of one JSON value per line. */
export class LineStream {
  constructor(
    private readonly response: ServerResponse,
    status: number,
  ) {
    response.writeHead(status, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
  }

  async write(...values: unknown[]): Promise<void> {
    this.send(values.map(lineOf).join(''));
    await untilDrained(this.response);
  }

  /** Writes all values, fewer when the signal fires, and ends. Those that come at once are written together. */
  async writeAll(values: AsyncIterable<unknown>, gone?: AbortSignal): Promise<void> {
    let lines = '';
    const sendLines = () => {
      this.send(lines);
      lines = '';
    };
    for await (const value of values) {
      if (gone?.aborted) break;
      if (lines === '') setImmediate(sendLines);
      lines += lineOf(value);
      if (lines.length >= PIECE_LENGTH) sendLines();
      await untilDrained(this.response);
    }
    sendLines();
    this.end();
  }

  /** For a writer that cannot wait: drops the value when the client does not read. */
  offer(value: unknown): void {
    if (this.response.writableLength <= BACKLOG_LIMIT) this.send(lineOf(value));
  }

  end(): void {
    this.response.end();
  }

  private send(lines: string): void {
    if (lines !== '' && !this.response.destroyed) this.response.write(lines);
  }
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
