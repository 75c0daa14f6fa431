import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** What may wait for a client that does not read. */
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

  /** Resolves when the client has taken enough of it for more. */
  async write(...values: unknown[]): Promise<void> {
    if (this.response.destroyed) return;
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    if (!this.response.write(text)) await Promise.race([once(this.response, 'drain'), once(this.response, 'close')]);
  }

  /** For whoever cannot wait: a value is left out when the client does not read. */
  offer(value: unknown): void {
    if (this.response.destroyed || this.response.writableLength > BACKLOG_LIMIT) return;
    this.response.write(`${JSON.stringify(value)}\n`);
  }

  end(): void {
    this.response.end();
  }
}
