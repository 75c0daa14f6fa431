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

/** Below the ports that systems hand out by themselves, so that nothing else takes one between its search and its use. */
const PORTS = { first: 20_000, last: 32_000 };
/** As many as Jest may have workers. */
const STRIDE = 16;
let next = PORTS.first + Math.floor((Math.random() * (PORTS.last - PORTS.first)) / STRIDE) * STRIDE;

/** A free port that no other test of this run gets, because each worker of Jest has its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next + (Number(process.env.JEST_WORKER_ID) % STRIDE);
    next = next + STRIDE < PORTS.last ? next + STRIDE : PORTS.first;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
