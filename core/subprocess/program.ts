import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ErrorAdvice, ExitStatus, JsonLine, Logger, Subprocess } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { endRun, sweepTime } from './end-of-run';
import { guardUntilExit, unguard } from './exit-guard';
import { explainEnd } from './explain-end';
import { jsonLines } from './json-lines';
import type { LocalProcesses } from './local-processes';
import { Output } from './output';
import type { OutputForm } from './output-lines';
import { ProcessTree } from './process-tree';
import type { StopStage } from './terminate';

/** How long a program may go on when its answer is complete, or its output has ended. */
const PATIENCE_MS = 2_000;

interface ProgramParts {
  child: ChildProcessWithoutNullStreams;
  pid: number;
  name: string;
  marker: string;
  /** Nothing of the run is older, in the unit of the process table. */
  since: number;
  stages: readonly StopStage[];
  input?: string | Uint8Array;
  signal?: AbortSignal;
  onErrorLine?: (line: string) => void;
  local: LocalProcesses;
  log: Logger;
}

/** One run of a program, from its start until nothing of it is left. */
export class Program implements Subprocess {
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  /** Settles when nothing is left. Never rejects. */
  readonly gone: Promise<void>;
  private status: ExitStatus | undefined;
  private readonly output: Output;
  private readonly tree: ProcessTree;
  private stopNow!: () => void;
  private isStopped = false;
  private patience: NodeJS.Timeout | undefined;
  private signal: AbortSignal | undefined;

  constructor(private readonly parts: ProgramParts) {
    const { child, pid, name, marker, since, signal, input } = parts;
    this.pid = pid;
    this.signal = signal;
    this.tree = new ProcessTree({ leader: pid, since, marker });
    guardUntilExit(this.tree);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, exitSignal) => {
        this.status = { code, signal: exitSignal };
        this.output.drain();
        resolve(this.status);
      });
    });
    const onUnreadable = (error: Error): void => {
      this.output.lines.end(new DriverError('protocol', `${name}: ${error.message}`, { kind: 'line_too_long' }));
      void this.stop();
    };
    const { onErrorLine } = parts;
    const takeErrorLine = (line: string): void => {
      try {
        onErrorLine?.(line);
      } catch (error) {
        // The driver's own failure: the reader of the output gets it.
        this.output.lines.end(error as Error);
        void this.stop();
      }
    };
    this.output = new Output(child.stdout, child.stderr, onUnreadable, onErrorLine && takeErrorLine);
    // Ignored: a program may close its input unread. If it needed the input, its exit shows the failure.
    child.stdin.on('error', () => undefined);
    if (input !== undefined) child.stdin.end(input);
    const stopped = new Promise<void>((resolve) => (this.stopNow = resolve));
    this.gone = this.supervise(stopped);
    if (signal?.aborted) this.onAbort();
    signal?.addEventListener('abort', this.onAbort);
  }

  get stderr(): string {
    return this.output.errors.text;
  }

  write(data: string | Uint8Array): Promise<void> {
    const { stdin } = this.parts.child;
    return new Promise((resolve) => {
      if (stdin.writable) stdin.write(data, () => resolve());
      else resolve();
    });
  }

  end(): void {
    const { stdin } = this.parts.child;
    // Speed: Node builds an error with a stack for each repeated `end`.
    if (stdin.writable) stdin.end();
  }

  lines(): AsyncIterableIterator<string, undefined> {
    return this.read('lines');
  }

  bytes(): AsyncIterableIterator<Uint8Array, undefined> {
    return this.read('bytes');
  }

  private read<Item>(form: OutputForm): AsyncIterableIterator<Item, undefined> {
    const { lines } = this.output;
    lines.readAs(form);
    let isLeft = false;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => (isLeft ? Promise.resolve({ done: true, value: undefined }) : lines.take<Item>()),
      return: () => {
        isLeft = true;
        if (this.signal) {
          lines.discard();
          void this.stop({ patienceMs: PATIENCE_MS });
        }
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  jsonLines(): AsyncIterableIterator<JsonLine> {
    return jsonLines(this.lines());
  }

  stop({ patienceMs = 0 }: { patienceMs?: number } = {}): Promise<void> {
    if (patienceMs <= 0) {
      // The end of its input would tell some programs to finish their work, before the signal reaches them.
      this.stopNow();
      return this.gone;
    }
    this.end();
    this.patience ??= setTimeout(() => this.stopNow(), patienceMs);
    return this.gone;
  }

  async isAlone(): Promise<boolean> {
    const rows = (await this.parts.local.scanner?.scan(this.tree.since).catch(() => [])) ?? [];
    const members = this.tree.members(rows);
    return this.status === undefined && members.length === 1 && members[0]!.pid === this.pid;
  }

  /** From now on the end of the call is not its end. */
  leaveCall(): void {
    this.signal?.removeEventListener('abort', this.onAbort);
    this.signal = undefined;
  }

  async error(advice?: ErrorAdvice): Promise<DriverError> {
    void this.stop({ patienceMs: PATIENCE_MS });
    await Promise.race([this.exited, this.gone]);
    await this.output.closed;
    // A program that we ended ourselves has not crashed.
    const status = this.isStopped || !this.status ? { code: 0, signal: null } : this.status;
    const failure = explainEnd(this.parts.name, status, this.stderr);
    // A missing interpreter has its own remedy.
    if (!advice || failure.code === 'not_installed') return failure;
    const { code, message, kind, hint } = failure;
    return new DriverError(code, message, { kind, hint, ...advice });
  }

  private readonly onAbort = (): void => {
    const { signal } = this;
    const { name } = this.parts;
    this.output.lines.discard(new DriverError('canceled', `${name} was stopped`, { cause: signal?.reason }));
    void this.stop();
  };

  private async supervise(stopped: Promise<void>): Promise<void> {
    const { child, stages, local, log, name } = this.parts;
    await Promise.race([stopped, this.exited]);
    clearTimeout(this.patience);
    if (this.status) {
      const sweep = sweepTime();
      await Promise.race([stopped, sweep.reached]);
      sweep.cancel();
    } else {
      this.isStopped = true;
    }
    const doomed = { tree: this.tree, exited: this.exited, hasExited: () => this.status !== undefined };
    const { left, failure } = await endRun(this.pid, doomed, stages, local);
    if (failure !== undefined) log.warn(failure);
    if (left.length > 0) log.warn(`${name} left processes that cannot be ended: ${left.join(', ')}`);
    this.leaveCall();
    clearTimeout(this.patience);
    this.output.cut();
    child.stdin.destroy();
    unguard(this.tree);
  }
}
