import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { get } from './chat-connection.mjs';
import { treeOf } from './process-usage.mjs';

/**
 * The environment of every process that is measured. Keys, proxies and NODE_OPTIONS of the user must not matter,
 * and NODE_EXTRA_CA_CERTS alone more than doubles the start of Node.
 */
export const ENVIRONMENT = { PATH: process.env.PATH };

const running = new Set();

/** A port below the ranges that systems hand out for outgoing connections: none of the load can take it meanwhile. */
export async function findFreePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** One process of the bench, of Node unless `command` says otherwise. What it prints goes to a file, so that printing costs it what it costs a daemon. */
export class BenchProcess {
  #child;
  #logFile;
  #healthPath;
  #limitMs;
  #hasExited = false;

  constructor(
    args,
    { port, logFile, stdin = 'pipe', command = process.execPath, healthPath = '/health', limitMs = 15_000, ...options },
  ) {
    this.port = port;
    this.#healthPath = healthPath;
    this.#limitMs = limitMs;
    /** The home folder that its own programs know it by. */
    this.home = options.env.HOME;
    this.#logFile = logFile;
    const log = openSync(logFile, 'a');
    this.startedAt = performance.now();
    this.#child = spawn(command, args, { ...options, stdio: [stdin, log, log] });
    closeSync(log);
    this.exited = new Promise((resolve) => {
      this.#child.once('error', resolve);
      this.#child.once('exit', resolve);
    }).then(() => {
      this.#hasExited = true;
      running.delete(this);
    });
    running.add(this);
  }

  get pid() {
    return this.#child.pid;
  }

  /** Asks for /health every 2 ms and returns the time from the start to the first 200, in milliseconds. */
  async untilHealthy() {
    while (performance.now() - this.startedAt < this.#limitMs) {
      const { status } = await get(this.port, this.#healthPath).catch(() => ({ status: 0 }));
      if (status === 200) return performance.now() - this.startedAt;
      if (this.#hasExited) break;
      await sleep(2);
    }
    const why = this.#hasExited
      ? 'ended before it served'
      : `did not answer ${this.#healthPath} within ${this.#limitMs / 1000} s`;
    throw new Error(`${this.#child.spawnargs.slice(1).join(' ')} ${why}:\n${this.#lastOutput()}`);
  }

  #lastOutput() {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  kill() {
    for (const pid of this.#hasExited ? [] : treeOf(this.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended in between.
      }
    }
  }

  /** Ends the process politely, and after two seconds no more politely. */
  async stop() {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), 2000);
    await this.exited;
    clearTimeout(timer);
  }
}

/** Ends all processes at once, without waiting: the last act of the bench, and what follows a failed scenario. */
export function killAll({ except } = {}) {
  for (const one of running) if (one !== except) one.kill();
}
