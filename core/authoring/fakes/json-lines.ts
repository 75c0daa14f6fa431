import type { Socket } from 'node:net';

/** What the other side of a connection tells, one JSON object per line. */
export class JsonLines {
  private readonly told: Record<string, unknown>[] = [];
  private wake: (() => void) | undefined;
  private hasEnded = false;

  /** Reads all the time, also when nobody asks: a connection that is not read does not notice its end. */
  constructor(socket: Socket) {
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: Buffer | string) => {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.told.push(JSON.parse(line) as Record<string, unknown>);
      this.wake?.();
    });
    socket.on('close', () => {
      this.hasEnded = true;
      this.wake?.();
    });
  }

  /** The next object; undefined when the connection has ended. */
  async next(): Promise<Record<string, unknown> | undefined> {
    while (this.told.length === 0 && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.told.shift();
  }
}
