import type { JsonLine, Subprocess } from 'drivebay/plugin';

/**
 * A program that stays: it takes messages on its input while it runs, and answers on its output, both in lines of JSON.
 * A subclass knows what the lines mean, and hands those of a chat to its `TurnLines`.
 */
export abstract class LiveProgram {
  isGone = false;
  /** Settles when its output has ended. Never rejects. */
  readonly gone: Promise<void>;

  constructor(readonly program: Subprocess) {
    this.gone = this.read();
  }

  get pid(): number {
    return this.program.pid;
  }

  /** Ends the program at once. Its input stays open: some would finish their work at its end, and be paid for it. */
  stop(): Promise<void> {
    return this.program.stop();
  }

  /** Takes each line of the output. */
  protected abstract take(line: JsonLine): void;

  /** Called once, when no further line comes: whoever waits for one has to be told. */
  protected abstract leave(failure: Error | undefined): void;

  protected send(message: object): void {
    void this.program.write(`${JSON.stringify(message)}\n`);
  }

  private async read(): Promise<void> {
    let failure: Error | undefined;
    try {
      // The constructor of the subclass comes first.
      await Promise.resolve();
      for await (const line of this.program.jsonLines()) this.take(line);
    } catch (error) {
      failure = error as Error;
    }
    this.isGone = true;
    this.leave(failure);
  }
}
