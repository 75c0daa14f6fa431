import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { LiveCli } from './live-cli';
import type { CliOptions } from './run-cli';

/** `bin/cli serve` as a child process, on a free port. */
export class RunningGateway {
  readonly child: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly cli: LiveCli,
  ) {
    this.child = cli.child;
  }

  /** Resolves when the gateway says that it listens; rejects with its output when it ends before. */
  static async start(words: string[], options: CliOptions): Promise<RunningGateway> {
    const port = await freePort();
    const gateway = new RunningGateway(port, new LiveCli(['serve', '--port', String(port), ...words], options));
    await gateway.untilOutput(/Endpoints[^]*\/health/);
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get stdout(): string {
    return this.cli.stdout;
  }

  get stderr(): string {
    return this.cli.stderr;
  }

  /** Waits until stdout and stderr together match. */
  untilOutput(pattern: Pick<RegExp, 'test'>): Promise<void> {
    return this.cli.until(pattern);
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
    return (await this.cli.signal(signal).end()).code;
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
