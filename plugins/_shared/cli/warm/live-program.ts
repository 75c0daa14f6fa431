import type { DriverContext, JsonLine, SpawnOptions, Subprocess } from 'drivebay/plugin';
import type { Fields } from '../../fields';
import { ProgramEnded } from './program-ended';
import { wellFormed } from './well-formed';

/** How long a program may take to end by itself after its output: how it ended explains the failure of a chat. */
const PATIENCE_MS = 2_000;
/**
 * Ends that follow a warning within this time are logged as information: a program that never lasts would otherwise cause a
 * warning after each chat.
 */
const QUIET_MS = 600_000;
/** When the last warning came, by the log of the provider. */
const warnedAt = new WeakMap<object, number>();

/** Starts a program that stays. `make` makes of it what takes its lines, those of its standard error among them. */
export async function startLive<Of extends LiveProgram>(
  spawn: (listener: Required<Pick<SpawnOptions, 'onErrorLine'>>) => Promise<Subprocess>,
  make: (program: Subprocess) => Of,
): Promise<Of> {
  const started: { program?: Of } = {};
  started.program = make(await spawn({ onErrorLine: (line) => started.program?.onErrorLine(line) }));
  return started.program;
}

/**
 * A program that stays: it takes messages on its input while it runs, and answers on its output, both in lines of JSON.
 * A subclass knows what the lines mean, and hands those of a chat to its `TurnLines`.
 */
export abstract class LiveProgram {
  isGone = false;
  private isStopped = false;
  private isTold = false;
  private unsent = '';
  /** What it was asked and has not answered yet, by the id of the question. */
  private readonly asked = new Map<string, (failure: Error | undefined, result: Fields) => void>();
  /** Called with each line of the standard error. */
  onErrorLine: (line: string) => void = () => undefined;
  /** Settles when its output has ended. Never rejects. */
  readonly gone: Promise<void>;

  constructor(readonly program: Subprocess) {
    this.gone = this.read();
  }

  get pid(): number {
    return this.program.pid;
  }

  /**
   * Ends the program at once. Its input stays open: at the end of the input some programs finish their work, which costs tokens.
   * How a program has ended by itself is left for its chats to say: core takes one that was stopped for a healthy one.
   */
  stop(): Promise<void> {
    this.isStopped ||= !this.isGone;
    return this.isGone ? this.program.exited.then(() => this.program.stop()) : this.program.stop();
  }

  /** Tells once where it has ended by itself and no chat fails by it. Otherwise nothing would tell of the end. */
  async warnOfEnd({ log }: Pick<DriverContext, 'log'>): Promise<void> {
    if (this.isStopped || this.isTold) return;
    this.isTold = true;
    const { message, hint } = await this.program.error();
    const why = hint === undefined ? message : `${message} (${hint})`;
    const isQuiet = performance.now() - (warnedAt.get(log) ?? -Infinity) < QUIET_MS;
    if (!isQuiet) warnedAt.set(log, performance.now());
    log[isQuiet ? 'info' : 'warn'](
      `a program that was kept for further chats is gone: ${why}; the next chat starts another one`,
    );
  }

  /** Takes each line of the output. */
  protected abstract take(line: JsonLine): void;

  /** Called once, when no further line comes: the turn that waits for one has to end. */
  protected leave?(failure: Error | undefined): void;

  /** Asks, and resolves with the answer. Rejects when the program refuses, or ends before it answers. */
  protected ask(id: string, question: object): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.isGone) return reject(new ProgramEnded(this.program));
      this.asked.set(id, (failure, result) => (failure ? reject(failure) : resolve(result)));
      this.send(question);
    });
  }

  /** For an answer. */
  protected settle(id: string, failure: Error | undefined, result: Fields = {}): void {
    const settle = this.asked.get(id);
    this.asked.delete(id);
    settle?.(failure, result);
  }

  /** Speed: what is said at once, such as the settings of a chat and its message, is one write. */
  protected send(message: object): void {
    if (this.unsent === '') queueMicrotask(() => this.flush());
    this.unsent += `${wellFormed(JSON.stringify(message))}\n`;
  }

  private flush(): void {
    void this.program.write(this.unsent);
    this.unsent = '';
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
    this.finish(failure ? 0 : PATIENCE_MS);
    for (const id of [...this.asked.keys()]) this.settle(id, failure ?? new ProgramEnded(this.program));
    this.leave?.(failure);
  }

  /** A program whose output cannot be read is of no use. */
  private finish(withinMs: number): void {
    const timer = setTimeout(() => void this.program.stop(), withinMs).unref();
    void this.program.exited.then(() => clearTimeout(timer));
  }
}
