import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { type CliOptions, type CliResult, cliPath } from './run-cli';

const started: ChildProcess[] = [];

// What a test that failed has left.
afterAll(() => started.forEach((child) => child.kill()));

/** The program while it runs: with an open stdin, and for signals. */
export class LiveCli {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  protected readonly changes = new EventEmitter();
  private readonly closed: Promise<unknown>;
  /** It has ended, and all of its output is here: that may come after the end. */
  private isClosed = false;

  /** `command`: another way to start the program. */
  constructor(
    words: string[],
    { env, cwd, program = cliPath, node = process.execPath }: CliOptions,
    command = [node, program],
  ) {
    const [file = '', ...first] = command;
    this.child = spawn(file, [...first, ...words], { env, cwd: cwd ?? env.HOME, stdio: 'pipe' });
    started.push(this.child);
    this.closed = once(this.child, 'close');
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]!.setEncoding('utf8').on('data', (text: string) => {
        this[name] += text;
        this.changes.emit('change');
      });
    }
    this.child.on('close', () => {
      void this.shown().then(() => {
        this.isClosed = true;
        this.changes.emit('change');
      });
    });
    this.child.stdin!.on('error', () => undefined);
  }

  /** Waits until the output matches; rejects with it when the program ends before. */
  async until(pattern: Pick<RegExp, 'test'>): Promise<void> {
    while (!pattern.test(this.output)) {
      if (this.isClosed) throw new Error(`it ended with ${this.child.exitCode}: ${this.output}`);
      await once(this.changes, 'change');
    }
  }

  /** Stdout and stderr together. */
  protected get output(): string {
    return this.stdout + this.stderr;
  }

  /** Resolves when what it has written so far is in `output`. */
  protected shown(): Promise<void> {
    return Promise.resolve();
  }

  type(line: string): this {
    this.child.stdin!.write(`${line}\n`);
    return this;
  }

  endInput(text: string | Buffer = ''): this {
    this.child.stdin!.end(text);
    return this;
  }

  signal(signal: NodeJS.Signals): this {
    this.child.kill(signal);
    return this;
  }

  async end(): Promise<CliResult> {
    await this.closed;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}
