import type { DriverFailure, ExitStatus, JsonLine, Subprocess } from 'drivebay/plugin';
import type { ChatProgram } from '../cli-run';

/** The lines of one chat, from a program that stays for others: what the driver frame reads in place of a program. */
export class TurnLines implements ChatProgram {
  private readonly queue: JsonLine[] = [];
  private state: 'open' | 'ended' = 'open';
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  /** `program` is asked for what is known of its end. `stop` ends the part of it that works for this chat. */
  constructor(
    private readonly program: Pick<Subprocess, 'error' | 'exited' | 'stderr'>,
    private readonly stopWork: () => Promise<void>,
  ) {}

  push(line: JsonLine): void {
    if (this.state === 'open') this.queue.push(line);
    this.wake?.();
  }

  /** After the lines that are there the loop ends, or throws the error. */
  end(failure?: Error): void {
    this.state = 'ended';
    this.failure ??= failure;
    this.wake?.();
  }

  /** The loop throws at once. */
  cancel(failure: Error): void {
    this.queue.length = 0;
    this.end(failure);
  }

  jsonLines(): AsyncIterableIterator<JsonLine> {
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => {
        while (this.queue.length === 0 && this.state === 'open') {
          await new Promise<void>((resolve) => (this.wake = resolve));
        }
        const line = this.queue.shift();
        if (line) return { done: false, value: line };
        if (this.failure) throw this.failure;
        return { done: true, value: undefined };
      },
      return: () => {
        this.queue.length = 0;
        this.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  stop(): Promise<void> {
    return this.stopWork();
  }

  error(): Promise<DriverFailure> {
    return this.program.error();
  }

  get stderr(): string {
    return this.program.stderr;
  }

  get exited(): Promise<ExitStatus> {
    return this.program.exited;
  }
}
