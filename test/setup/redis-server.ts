import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './running-gateway';

const PROGRAM = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Tests that need a real server; without one the reason stands in their name. */
export const withRedis: typeof test = PROGRAM
  ? test
  : (((name: string) =>
      test.skip(`${name} (left out: there is no redis-server here)`, () => undefined)) as typeof test);

/** A real Redis or Valkey server without a disk, on a free port that it keeps over restarts. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly words: readonly string[],
  ) {}

  static async start(...words: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), words);
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it empty. */
  async begin(): Promise<void> {
    const words = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn(PROGRAM!, [...words, ...this.words], { stdio: 'ignore' });
    while (!(await answers(this.port))) await pause(20);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** It takes connections, and answers nothing. */
  stall(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
  });
}
