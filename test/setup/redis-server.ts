import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installedProgram } from '../servers/installed-program';
import { freePort } from './running-gateway';

const REDIS = installedProgram('redis-server');
const VALKEY = installedProgram('valkey-server');
const PROGRAM = REDIS ?? VALKEY;
const PEM = join(__dirname, 'certificates/model.test.pem');

/** Real servers of both kinds, as far as they are here. */
export const SERVERS = { Redis: REDIS, Valkey: VALKEY };

const orSkip = (isHere: boolean, program: string): typeof test =>
  isHere
    ? test
    : (((name: string) =>
        test.skip(`${name} (left out: there is no ${program} here)`, () => undefined)) as typeof test);

/** Tests that need a real server; without one the reason stands in their name. */
export const withRedis = orSkip(PROGRAM !== undefined, 'redis-server');

/** The same for one kind. */
export const withServer = (kind: keyof typeof SERVERS): typeof test => orSkip(SERVERS[kind] !== undefined, kind);

/** A real Redis or Valkey server without a disk, on a free port that it keeps over restarts. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly program: string,
    private readonly words: readonly string[],
  ) {}

  static async start(...words: string[]): Promise<RedisServer> {
    return RedisServer.of(PROGRAM!, await freePort(), words);
  }

  static async startKind(kind: keyof typeof SERVERS, ...words: string[]): Promise<RedisServer> {
    return RedisServer.of(SERVERS[kind]!, await freePort(), words);
  }

  /** With the certificate of `127.0.0.1` by the authority of the tests at `port`. */
  static async startSecure(port: number, ...words: string[]): Promise<RedisServer> {
    const tls = ['--tls-port', String(port), '--tls-cert-file', PEM, '--tls-key-file', PEM, '--tls-auth-clients', 'no'];
    return RedisServer.of(PROGRAM!, await freePort(), [...tls, '--tls-ca-cert-file', PEM, ...words]);
  }

  private static async of(program: string, port: number, words: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(port, program, words);
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it empty. */
  async begin(): Promise<void> {
    const words = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    // A replica writes what it gets to a file.
    const child = spawn(this.program, [...words, ...this.words], { stdio: 'ignore', cwd: tmpdir() });
    this.child = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`${this.program} ended with ${child.exitCode}`);
      await pause(20);
    }
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
