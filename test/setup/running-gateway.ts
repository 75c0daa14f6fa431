import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { type CliOptions, cliPath } from './run-cli';

/** `bin/cli serve` as a child process, on a free port. */
export class RunningGateway {
  private readonly changes = new EventEmitter();

  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
    private readonly output: { stdout: string; stderr: string },
  ) {}

  /** Resolves when the gateway says that it listens; rejects with its output when it ends before. */
  static async start(words: string[], options: CliOptions): Promise<RunningGateway> {
    const { env, cwd, program = cliPath, node = process.execPath } = options;
    const port = await freePort();
    const child = spawn(node, [program, 'serve', '--port', String(port), ...words], {
      env,
      cwd: cwd ?? env.HOME,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    const gateway = new RunningGateway(port, child, output);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        gateway.changes.emit('change');
      });
    }
    child.on('close', () => gateway.changes.emit('change'));
    await gateway.untilOutput(/Endpoints[^]*\/health/);
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }

  /** Waits until stdout and stderr together match. */
  async untilOutput(pattern: Pick<RegExp, 'test'>): Promise<void> {
    const matches = () => pattern.test(this.output.stdout + this.output.stderr);
    while (!matches()) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`serve ended with ${this.child.exitCode}: ${this.output.stdout}${this.output.stderr}`);
      }
      await once(this.changes, 'change');
    }
  }

  /** A chat request with the body given; `messages` default to one greeting. */
  chat(
    body: Record<string, unknown>,
    init: { signal?: AbortSignal; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...init.headers },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
      ...(init.signal && { signal: init.signal }),
    });
  }

  /** Sends a signal and resolves with the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const closed = once(this.child, 'close');
      this.child.kill(signal);
      await closed;
    }
    return this.child.exitCode;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
