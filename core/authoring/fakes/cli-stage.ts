import { on } from 'node:events';
import type { Socket } from 'node:net';
import type { ProgramStep } from './cli-step';

/** A program that does steps. */
export class CliStage {
  isOver = false;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly socket: Socket) {
    socket.on('close', () => this.close());
  }

  do(step: ProgramStep): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(`${JSON.stringify(step)}\n`);
    });
  }

  noteDone(): void {
    this.waiting.shift()?.();
  }

  /** No further step is done. */
  close(): void {
    this.isOver = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

export type Messages = AsyncGenerator<Record<string, unknown>, undefined>;

/** The messages of a program, one JSON object per line. `on` also reads while no one waits, so the end is reported at once. */
export async function* jsonLines(socket: Socket): Messages {
  let rest = '';
  try {
    for await (const [text] of on(socket.setEncoding('utf8'), 'data', { close: ['close'] }) as AsyncIterable<
      [string]
    >) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
    }
  } catch {
    // A connection that breaks has ended.
  }
  return undefined;
}
