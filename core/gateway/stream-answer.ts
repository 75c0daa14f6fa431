import type { ServerResponse } from 'node:http';
import type { ChatEvent } from '../contract/api';
import { untilDrained } from '../serving/send';
import type { AnswerHead } from './answer-head';
import { ChunkWriter } from './chunk-writer';
import type { GatewayError } from './gateway-error';

/** After so much silence the client is sent a comment, so that nobody on the way gives the connection up. */
const KEEP_ALIVE_MS = 15_000;

const WRITE_AT_LENGTH = 64 * 1024;

/**
 * Sends an answer as server-sent events. The head of the response waits for the first content, so that an early
 * failure can still be a proper error; events of one network read leave in one write.
 */
export class StreamAnswer {
  private readonly writer: ChunkWriter;
  private buffered = '';
  private flushing = false;
  private draining: Promise<void> | undefined;
  private readonly keepAlive: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    head: AnswerHead,
    includeUsage: boolean,
    private readonly headers: () => Record<string, string>,
  ) {
    this.writer = new ChunkWriter(head, includeUsage);
    this.keepAlive = setInterval(() => this.comment(), KEEP_ALIVE_MS);
  }

  /** Takes an event; a promise means that the reader is behind. */
  readonly add = (event: ChatEvent): Promise<void> | undefined => {
    this.buffered += this.writer.frames(event);
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool_call') this.commit();
    if (!this.response.headersSent) return undefined;
    if (this.buffered.length > WRITE_AT_LENGTH) {
      // A driver that never waits for anything would not let the next tick come.
      this.flush();
    } else if (!this.flushing) {
      this.flushing = true;
      // Runs when the driver has used up what it read: promise callbacks come first.
      process.nextTick(this.flush);
    }
    return this.draining;
  };

  /** Ends a complete answer. */
  end(): void {
    this.commit();
    this.stop();
    this.response.end(this.buffered + this.writer.leftovers() + this.writer.end());
    this.buffered = '';
  }

  /** Ends a failed answer whose head is already out. The text so far is sent, a finish chunk is not. */
  fail(error: GatewayError): void {
    this.stop();
    this.response.end(`${this.buffered}data: ${JSON.stringify(error.toBody())}\n\ndata: [DONE]\n\n`);
    this.buffered = '';
  }

  /** Stops the clock. To be called when the answer is given up before its head was sent. */
  stop(): void {
    clearInterval(this.keepAlive);
  }

  private readonly flush = (): void => {
    this.flushing = false;
    const frames = this.buffered + this.writer.leftovers();
    if (frames === '' || this.response.writableEnded || this.response.destroyed) return;
    this.buffered = '';
    this.keepAlive.refresh();
    if (!this.response.write(frames)) this.draining = this.waitForReader();
  };

  private async waitForReader(): Promise<void> {
    await untilDrained(this.response);
    this.draining = undefined;
  }

  private commit(): void {
    if (this.response.headersSent) return;
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...this.headers(),
    });
  }

  private comment(): void {
    if (this.response.writableNeedDrain) return;
    this.commit();
    this.response.write(': keep-alive\n\n');
  }
}
