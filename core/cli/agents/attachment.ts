import { type ControlClient, DaemonGoneError } from '../../daemon/client/control-client';
import { EXIT, exitCodeOf } from '../exit-codes';
import { AnswerOutput } from '../terminal/answer-output';
import { LiveLines } from '../terminal/live-lines';
import { onSignal } from '../terminal/signals';

/** Work at the daemon that lives as long as this command. Answers go to stdout, the rest to stderr. */
export abstract class Attachment<Line> {
  protected readonly output = new AnswerOutput(() => this.end(EXIT.ok));
  protected readonly live = new LiveLines(() => this.progress());
  private readonly leave = new AbortController();
  /** Fires when the command needs nothing more of the daemon. */
  protected readonly signal: AbortSignal = this.leave.signal;
  /** Set when a signal or the reader has asked for the end. */
  private exitCode: number | undefined;

  constructor(
    protected readonly client: ControlClient,
    /** `json`: one object on stdout at the end, in place of the answers. */
    protected readonly options: { json: boolean },
  ) {}

  protected abstract progress(): string[];
  /** The path that ends the work at the daemon. Undefined before the work has begun there. */
  protected abstract stopPath(): string | undefined;
  /** Lines of a kind that is not known are of a newer daemon, and mean nothing here. */
  protected abstract take(line: Line): Promise<void>;
  /** Prints the result. Returns the exit code, or undefined where the daemon has not told the end. */
  protected abstract conclude(): number | undefined;

  protected get isEnding(): boolean {
    return this.exitCode !== undefined;
  }

  /** Starts the work with a POST. Resolves with the exit code when nothing of the work is left. */
  async complete(path: string, body: object): Promise<number> {
    const forget = onSignal((signal) => this.end(exitCodeOf(signal)));
    const options = { body: { ...body, attach: true }, signal: this.signal };
    try {
      for await (const line of this.client.stream<Line>('POST', path, options)) await this.take(line);
    } catch (error) {
      // An error that follows from the end that the user asked for is no failure.
      if (!this.isEnding) throw error;
    } finally {
      forget();
      this.live.close();
      await this.output.endLine();
      this.output.close();
    }
    const exitCode = this.exitCode ?? this.conclude();
    if (exitCode !== undefined) return exitCode;
    throw new DaemonGoneError('the daemon has ended', 'see its log: drivebay daemon logs');
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
    this.client.call('POST', path).catch(() => undefined);
  }
}
