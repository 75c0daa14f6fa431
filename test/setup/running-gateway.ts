import type { ChildProcess } from 'node:child_process';
import { type AddressInfo, createServer, type Server } from 'node:net';
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
const FIRST_PORT = 20_000;
const BLOCK = 100;
const BLOCKS = 120;
/**
 * Listens at the first port of a block, so that no other file of tests has its ports from there, in this run of Jest or in
 * another one on this machine.
 */
let guard: Promise<Server> | undefined;
let given = 0;

afterAll(async () => (await guard)?.close());

/** A free port that no other test gets. */
export async function freePort(): Promise<number> {
  guard ??= takeBlock();
  const { port: first } = (await guard).address() as AddressInfo;
  for (;;) {
    given = (given % (BLOCK - 1)) + 1;
    const port = first + given;
    const server = await listenAt(port);
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function takeBlock(): Promise<Server> {
  const from = Math.floor(Math.random() * BLOCKS);
  for (let count = 0; count < BLOCKS; count += 1) {
    const server = await listenAt(FIRST_PORT + ((from + count) % BLOCKS) * BLOCK);
    if (server) return server.unref();
  }
  throw new Error('all blocks of ports are taken');
}

/** Undefined where another program has the port. */
function listenAt(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
