import type { ServerResponse } from 'node:http';
import { untilDrained } from '../../serving/send';

/** Lines of a log that wait for a client that does not read. */
const BACKLOG_LIMIT = 16 * 1024 * 1024;

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
    if (this.response.destroyed) return;
    this.response.write(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    await untilDrained(this.response);
  }

  /** Writes all values, fewer when the signal fires, and ends. */
  async writeAll(values: AsyncIterable<unknown>, gone?: AbortSignal): Promise<void> {
    for await (const value of values) {
      if (gone?.aborted) break;
      await this.write(value);
    }
    this.end();
  }

  /** For a writer that cannot wait: drops the value when the client does not read. */
  offer(value: unknown): void {
    if (this.response.destroyed || this.response.writableLength > BACKLOG_LIMIT) return;
    this.response.write(`${JSON.stringify(value)}\n`);
  }

  end(): void {
    this.response.end();
  }
}
