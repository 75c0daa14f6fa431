import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { readMessage, refuseMessage } from '../../devices/mcp/read-message';
import { LineSplitter } from '../../line-splitter';

/** Pictures come in base64. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** What tells that the client has left. */
const ENDS = [
  [process.stdin, 'end'],
  [process.stdin, 'close'],
  [process.stdin, 'error'],
  [process.stdout, 'close'],
  [process.stdout, 'error'],
] as const;

/**
 * The client of an MCP server on stdin and stdout. Not the SDK's own: here a request that is none gets an answer, where the SDK
 * would let the client wait.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private drained: Promise<void> | undefined;
  private isClosed = false;
  private readonly splitter = new LineSplitter(LONGEST_LINE);

  start(): Promise<void> {
    process.stdin.on('data', this.take);
    for (const [stream, event] of ENDS) stream.once(event, this.leave);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await (this.drained ??= this.untilDrained());
  }

  close(): Promise<void> {
    this.isClosed = true;
    process.stdin.off('data', this.take);
    process.stdin.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  /** A client that reads no answers gets no further ones: they would fill the memory. */
  private async untilDrained(): Promise<void> {
    process.stdin.pause();
    await new Promise((resolve) => process.stdout.once('drain', resolve));
    this.drained = undefined;
    if (!this.isClosed) process.stdin.resume();
  }

  private readonly leave = (): void => void this.close();

  private readonly take = (piece: Buffer): void => {
    const lines: string[] = [];
    try {
      this.splitter.push(piece, lines);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
    }
    for (const line of lines) if (line.trim() !== '') this.read(line);
  };

  private read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.leaveOut('JSON');
    }
    const read = readMessage(value);
    if ('message' in read) this.onmessage?.(read.message);
    else if (read.id !== undefined) this.send(refuseMessage(read.id, read.fault)).catch(() => undefined);
    else this.leaveOut('message of JSON-RPC 2.0');
  }

  private leaveOut(what: string): void {
    const message = `a line on stdin is no ${what}, so it was left out; a client of MCP sends one message on each line`;
    this.onerror?.(new Error(message));
  }
}
