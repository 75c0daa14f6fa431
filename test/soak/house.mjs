import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { get } from '../bench/chat-connection.mjs';
import { findFreePort } from '../bench/processes.mjs';
import { processesWith } from '../bench/process-usage.mjs';
import { makeConfig } from './config.mjs';
import { makeHome } from './make-home.mjs';
import { callSocket } from './send.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const cli = join(here, '..', '..', 'bin', 'cli');
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;

/** A home with a daemon of its own, which is `serve --metrics`. */
export class House {
  /** When the daemon was killed, and when the next one answered. */
  kills = [];
  faults = [];
  #reloads = 0;

  constructor(folder, name, backends) {
    this.name = name;
    this.home = join(folder, name);
    this.backends = backends;
    this.state = join(this.home, 'state', 'drivebay');
    this.scratch = join(this.home, 'tmp');
    this.agent = join(this.home, 'fake-agent.sh');
    this.work = join(this.home, 'work');
    this.env = makeHome(this);
  }

  /** What they lead to, such as `socket:[123]`. */
  get openFiles() {
    const folder = `/proc/${this.child.pid}/fd`;
    return readdirSync(folder).flatMap((file) => {
      try {
        return readlinkSync(join(folder, file));
      } catch {
        return []; // It was closed in between.
      }
    });
  }

  async start() {
    this.port ??= await findFreePort();
    this.#configure();
    const log = openSync(join(this.home, 'log'), 'a');
    const words = ['serve', '--metrics', '--port', String(this.port)];
    const options = { cwd: this.work, env: this.env, stdio: ['ignore', log, log] };
    this.child = spawn(process.execPath, [cli, ...words], options);
    closeSync(log);
    this.ended = once(this.child, 'exit');
    const end = Date.now() + START_LIMIT_MS;
    while ((await get(this.port, '/health').catch(() => ({}))).status !== 200) {
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`the daemon has ended:\n${this.lastLog}`);
      if (Date.now() > end) throw new Error(`no daemon answers within ${START_LIMIT_MS / 1000} s:\n${this.lastLog}`);
      await pause(20);
    }
  }

  /** Kills the daemon and nothing of what it has started, and starts the next one. */
  async killAndStart() {
    const kill = { at: Date.now(), upAt: Infinity };
    this.kills.push(kill);
    // A command that came while none ran has started one in the background, and then `serve` is its client.
    const pid = this.#daemonPid();
    if (pid !== undefined && pid !== this.child.pid) process.kill(pid, 'SIGKILL');
    this.child.kill('SIGKILL');
    await this.ended;
    await this.start();
    kill.upAt = Date.now();
  }

  get #isUp() {
    return this.kills.at(-1)?.upAt !== Infinity;
  }

  wasDown(from, to) {
    return this.kills.some(({ at, upAt }) => from <= upAt && to >= at);
  }

  /** Another configuration at each time: a provider changes, another one comes or goes. */
  async reload() {
    this.#reloads += 1;
    this.#configure();
    // Every other one as a service manager does it, which waits until the program is there.
    if (this.#reloads % 2 === 0 && this.#isUp) return void this.child.kill('SIGHUP');
    const startedAt = Date.now();
    const { status, text } = await this.call('POST', '/v1/reload').catch((error) => ({ text: error.message }));
    if (status !== 200 && !this.wasDown(startedAt, Date.now())) this.faults.push(`a reload failed: ${status} ${text}`);
  }

  call(method, path, body, more) {
    return callSocket(join(this.state, 'daemon.sock'), { method, path, body, ...more });
  }

  /** Resolves with undefined after a good end, else with what was wrong. */
  async stop() {
    this.child.kill('SIGTERM');
    const signal = AbortSignal.timeout(STOP_LIMIT_MS);
    const [code, how] = await Promise.race([this.ended, pause(STOP_LIMIT_MS, [], { signal }).catch(() => [])]);
    if (this.#daemonPid() !== undefined) spawnSync(process.execPath, [cli, 'daemon', 'stop'], { env: this.env });
    if (code === 0) return undefined;
    this.child.kill('SIGKILL');
    return `the daemon of the ${this.name} house did not end as it should when it was asked to (${how ?? code})`;
  }

  /** What `drivebay usage` says, of each provider. */
  readUsage() {
    const words = ['usage', '--by', 'provider', '--from', '2000-01-01', '--json'];
    const { stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
      ...{ env: this.env, cwd: this.work, encoding: 'utf8' },
    });
    if (!stdout.startsWith('{')) throw new Error(`drivebay usage does not work: ${stderr}`);
    return JSON.parse(stdout).usage;
  }

  #daemonPid() {
    const file = join(this.state, 'daemon.pid');
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
    return processesWith('HOME', this.home).find((each) => each === pid);
  }

  get lastLog() {
    return readFileSync(join(this.home, 'log'), 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  #configure() {
    const file = join(this.home, 'config', 'drivebay', 'providers.yaml');
    // A daemon that starts at this moment must not find half of it.
    writeFileSync(`${file}.new`, JSON.stringify(makeConfig(this, this.#reloads)));
    renameSync(`${file}.new`, file);
  }
}
