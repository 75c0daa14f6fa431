import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from '../../contract/line-splitter';
import { inBatch, readMessage, refuseMessage } from '../../devices/mcp/read-message';

/** Pictures come in base64. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** Of requests that wait because the client reads no answers: more than a pipe holds, so that their end is noticed. */
const MOST_HELD = 256 * 1024;
/** A client that has left may have a reader who takes the last answers; one that takes nothing in this time will not. */
const LAST_READ_MS = 5_000;

/** Errors that say that the client has left. */
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
  private held: Buffer[] = [];
  private heldBytes = 0;
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
    endUnread();
    this.onclose?.();
    return Promise.resolve();
  }

  /** A client that reads no answers gets no further ones: they would fill the memory. Its requests wait, as its end must not. */
  private async untilDrained(): Promise<void> {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
    this.drained = undefined;
    if (this.isClosed) return;
    const pieces = this.held;
    this.held = [];
    this.heldBytes = 0;
    for (const piece of pieces) this.take(piece);
    process.stdin.resume();
  }

  private readonly leave = (): void => void this.close();

  private readonly take = (piece: Buffer): void => {
    if (this.drained) {
      this.held.push(piece);
      this.heldBytes += piece.length;
      if (this.heldBytes > MOST_HELD) process.stdin.pause();
      return;
    }
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
    for (const each of inBatch(value)) this.pass(each);
  }

  private pass(value: unknown): void {
    const read = readMessage(value);
    if ('message' in read) this.onmessage?.(read.message);
    else if (read.id !== undefined) this.send(refuseMessage(read.id, read.fault)).catch(() => undefined);
    else this.leaveOut('a message of JSON-RPC 2.0');
  }

  private leaveOut(what: string): void {
    const message = `a line on stdin is not ${what}, so it was left out; a client of MCP sends one message on each line`;
    this.onerror?.(new Error(message));
  }
}

/** Ends this program when the rest of its output does not get less. */
function endUnread(before = Infinity): void {
  const rest = process.stdout.writableLength;
  if (rest >= before) process.exit();
  setTimeout(endUnread, LAST_READ_MS, rest).unref();
}
