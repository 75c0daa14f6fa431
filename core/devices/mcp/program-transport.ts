import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../errors';
import { parseJson } from '../../fields';
import type { Program } from '../../subprocess/program';
import { inBatch, readMessage, refuseMessage } from './read-message';
import { UnaskedLimit } from './unasked-limit';

/** How long a server has to end by itself when its input has ended. */
const PATIENCE_MS = 2_000;
const QUOTE_LENGTH = 300;

/**
 * A server on this machine, by its input and output. Not the SDK's own: here the program and all that it starts are ended
 * together, also after a crash of the daemon, and it can fill neither memory nor time.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended by itself, in words. */
  reason?: string;
  private readonly limit = new UnaskedLimit();
  private isClosed = false;
  private stray: string | undefined;

  constructor(private readonly program: Program) {}

  get said(): string | undefined {
    return this.stray ?? this.program.stderr.trimEnd().split('\n').at(-1)?.slice(0, QUOTE_LENGTH);
  }

  start(): Promise<void> {
    void this.read();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) this.limit.reset();
    await this.program.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.program.stop({ patienceMs: PATIENCE_MS });
  }

  private async read(): Promise<void> {
    try {
      for await (const line of this.program.lines()) this.take(line);
      this.reason = this.isClosed ? 'it was ended' : messageOf(await this.program.error());
    } catch (error) {
      this.reason = messageOf(error);
    }
    void this.program.stop();
    this.onclose?.();
  }

  private take(line: string): void {
    if (line === '') return;
    this.limit.note(line.length);
    const message = parseJson(line);
    // Some servers write their log to the standard output.
    if (message === undefined) return void (this.stray = line.slice(0, QUOTE_LENGTH));
    const messages = inBatch(message);
    this.limit.note(0, messages.length - 1);
    for (const each of messages) this.pass(each);
  }

  private pass(value: unknown): void {
    const read = readMessage(value);
    if ('message' in read) this.onmessage?.(read.message);
    // It may have ended meanwhile.
    else if (read.id !== undefined) this.send(refuseMessage(read.id, read.fault)).catch(() => undefined);
  }
}
