import { z } from 'zod';
import type { ControlClient } from '../../daemon/client/control-client';
import { EXIT, exitCodeOf } from '../exit-codes';
import { AnswerOutput } from '../terminal/answer-output';
import { LiveLines } from '../terminal/live-lines';
import { onSignal } from '../terminal/signals';

/** Ties something at the daemon to this command: it ends with the command and shows its progress on the terminal. */
export class Attachment {
  readonly output = new AnswerOutput(() => this.end(EXIT.ok));
  readonly live: LiveLines;
  private readonly leave = new AbortController();
  /** Fires when the command needs nothing more of the daemon. */
  readonly signal: AbortSignal = this.leave.signal;
  /** Set when a signal or the reader has asked for the end. */
  private exitCode: number | undefined;

  constructor(
    private readonly client: ControlClient,
    /** The current live lines. */
    progress: () => string[],
    /** The path that ends the work at the daemon. Undefined before the work has begun there. */
    private readonly stopPath: () => string | undefined,
  ) {
    this.live = new LiveLines(progress);
  }

  get isEnding(): boolean {
    return this.exitCode !== undefined;
  }

  /**
   * Starts the work with a POST, and hands each line of the answer to `take`. Resolves with an exit code where a signal or the
   * reader ended the work.
   */
  async follow(path: string, body: object, take: (line: unknown) => Promise<void>): Promise<number | undefined> {
    const forget = onSignal((signal) => this.end(exitCodeOf(signal)));
    const options = { body: { ...body, attach: true }, signal: this.signal };
    try {
      for await (const line of this.client.stream('POST', path, options)) await take(line);
    } catch (error) {
      // An error that follows from the end that the user asked for is no failure.
      if (!this.isEnding) throw error;
    } finally {
      forget();
      this.live.close();
      await this.output.endLine();
      this.output.close();
    }
    return this.exitCode;
  }

  /** The first time, the daemon ends the work and the command waits. The second time the command ends at once. */
  private end(exitCode: number): void {
    const isAgain = this.isEnding;
    this.exitCode = exitCode;
    this.output.hurry();
    const path = this.stopPath();
    // The daemon ends the work of a client that disconnects.
    if (isAgain || path === undefined) return this.leave.abort();
    // The call fails where the work, or the daemon, has ended already. The stream tells that too.
    this.client.call('POST', path, z.unknown()).catch(() => undefined);
  }
}
