import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';

/** The messages of the other side of a connection, one JSON object per line. */
export class JsonLines {
  private readonly messages: Record<string, unknown>[] = [];
  private readonly events = new EventEmitter();
  private hasEnded = false;

  /** Always reads, because an unread connection does not report its end. */
  constructor(socket: Socket) {
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: Buffer | string) => {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as Record<string, unknown>);
      this.events.emit('change');
    });
    socket.on('close', () => {
      this.hasEnded = true;
      this.events.emit('change');
    });
  }

  /** The next message. Undefined when the connection has ended. */
  async next(): Promise<Record<string, unknown> | undefined> {
    while (this.messages.length === 0 && !this.hasEnded) await once(this.events, 'change');
    return this.messages.shift();
  }
}
