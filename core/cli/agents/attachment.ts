import { z } from 'zod';
import type { ControlClient } from '../../daemon/client/control-client';
import { AnswerOutput } from '../terminal/answer-output';
import { EXIT } from '../exit-codes';
import { LiveLines } from '../terminal/live-lines';
import { exitCodeOf, onSignal } from '../terminal/on-signal';

/** What is tied to a command. */
export interface Attached {
  /** The live lines of now. */
  progress(): string[];
  /** What ends it at the daemon; undefined where it has not begun there. */
  stopPath(): string | undefined;
}

/** Ties something at the daemon to this command: it ends with the command, and shows itself on its terminal. */
export class Attachment {
  readonly output = new AnswerOutput(() => this.end(EXIT.ok));
  readonly live: LiveLines;
  private readonly leave = new AbortController();
  /** Set when somebody wants the end. */
  private exitCode: number | undefined;

  constructor(
    private readonly client: ControlClient,
    private readonly attached: Attached,
  ) {
    this.live = new LiveLines(() => attached.progress());
  }

  /** Fires when nothing more is wanted of the daemon. */
  get signal(): AbortSignal {
    return this.leave.signal;
  }

  get isEnding(): boolean {
    return this.exitCode !== undefined;
  }

  /** Settles like `work`, which follows it to its end. Resolves with an exit code where somebody wanted the end. */
  async during(work: () => Promise<void>): Promise<number | undefined> {
    const forget = onSignal((signal) => this.end(exitCodeOf(signal)));
    try {
      await work();
    } catch (error) {
      // Whoever has asked for the end does not care what it looks like from here.
      if (!this.isEnding) throw error;
    } finally {
      forget();
      this.live.close();
      await this.output.endLine();
      this.output.close();
    }
    return this.exitCode;
  }

  /** The first time it is ended, and waited for. The second time the command ends at once. */
  private end(exitCode: number): void {
    const isAgain = this.isEnding;
    this.exitCode = exitCode;
    this.output.hurry();
    const path = this.attached.stopPath();
    // A daemon ends what belongs to a client that goes.
    if (isAgain || path === undefined) return this.leave.abort();
    this.client
      .call('POST', path, z.unknown())
      // It has ended already, or its daemon has: the stream says so.
      .catch(() => undefined);
  }
}
