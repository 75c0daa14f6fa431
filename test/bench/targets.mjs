import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI_CONCURRENCY, CLI_DRIVER, CLI_GRACE_S, FAKE_CLIS } from './fake-clis.mjs';
import { extraHeaders } from './chat-connection.mjs';
import { PEER_START_LIMIT_MS, PEERS } from './peers.mjs';
import { SDK_DRIVERS, SDK_KEY } from './sdk-drivers.mjs';
import { BenchProcess, ENVIRONMENT, findFreePort } from './processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

/** Starts the three programs of the bench, each time in a fresh folder: a daemon owns its config and state folders. */
export class Targets {
  #folder = mkdtempSync(join(tmpdir(), 'drivebay-bench-'));
  #count = 0;
  #selfCheck;
  upstream;

  constructor({ selfCheck }) {
    this.#selfCheck = selfCheck;
  }

  /** Compiles the gateway now, so that no start-up time contains the compiler. */
  prepare() {
    if (this.#selfCheck) return;
    const build = spawnSync(process.execPath, [join(root, 'bin', 'build.js')], { encoding: 'utf8' });
    if (build.status !== 0) throw new Error(`the gateway does not compile:\n${build.stderr}`);
  }

  async startUpstream() {
    this.upstream = await this.#start([join(here, 'upstream.mjs')]);
    await this.upstream.untilHealthy();
  }

  async startFloor() {
    return this.#start([join(here, 'floor.mjs')], [this.upstream.port]);
  }

  async startToolServer() {
    return this.#start([join(here, 'tools-server.mjs')]);
  }

  /** `house`: the driver of its one provider, or what makes its configuration and environment. */
  async startGateway(house = 'chat-compat') {
    if (this.#selfCheck) return this.startFloor();
    const port = await findFreePort();
    const { cwd, env } = this.makeHome(house);
    return new BenchProcess([join(root, 'bin', 'cli'), 'serve', '--port', String(port)], {
      port,
      logFile: join(cwd, 'log'),
      stdin: 'ignore',
      ...{ cwd, env },
    });
  }

  /** A fresh home, for programs of ours. */
  makeHome(house = 'chat-compat') {
    const { config, environment } = typeof house === 'string' ? { config: () => this.#providers(house) } : house;
    const cwd = this.#freshFolder();
    const env = {
      ...{ ...ENVIRONMENT, ...SDK_KEY, HOME: cwd },
      XDG_CONFIG_HOME: join(cwd, 'config'),
      XDG_STATE_HOME: join(cwd, 'state'),
      XDG_CACHE_HOME: join(cwd, 'cache'),
      ...environment?.(this.upstream.port, cwd),
    };
    mkdirSync(join(cwd, 'config', 'drivebay'), { recursive: true });
    writeFileSync(join(cwd, 'config', 'drivebay', 'providers.yaml'), config(this.upstream.port));
    return { cwd, env };
  }

  /** Floor and gateway, started anew, and the upstream as the third way: without anything between. */
  async startPair(driver) {
    const floor = await this.startFloor();
    const gateway = await this.startGateway(driver);
    await Promise.all([floor.untilHealthy(), gateway.untilHealthy()]);
    return { direct: this.upstream, floor, gateway };
  }

  /** Another gateway in the place of ours. */
  async startPeerPair(name) {
    const { variable, place } = PEERS[name];
    const port = await findFreePort();
    const cwd = this.#freshFolder();
    const peer = place(process.env[variable], { port, upstream: this.upstream.port, cwd });
    extraHeaders.set(port, peer.headers);
    const floor = await this.startFloor();
    const gateway = new BenchProcess(peer.args, {
      ...{ port, cwd, command: peer.command, healthPath: peer.healthPath, limitMs: PEER_START_LIMIT_MS },
      logFile: join(cwd, 'log'),
      env: { ...ENVIRONMENT, ...peer.env, HOME: cwd },
    });
    await Promise.all([floor.untilHealthy(), gateway.untilHealthy()]);
    return { direct: this.upstream, floor, gateway };
  }

  removeFolders() {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #freshFolder() {
    const folder = join(this.#folder, String((this.#count += 1)));
    mkdirSync(folder);
    return folder;
  }

  async #start([program], more = []) {
    const port = await findFreePort();
    const folder = this.#freshFolder();
    const args = [program, String(port), ...more.map(String)];
    return new BenchProcess(args, { port, logFile: join(folder, 'log'), cwd: folder, env: ENVIRONMENT });
  }

  #providers(driver) {
    if (driver === CLI_DRIVER) return this.#cliProviders();
    const sdk = SDK_DRIVERS[driver];
    const [keyName] = Object.keys(SDK_KEY);
    return [
      'version: "1"',
      'default_provider: bench',
      'providers:',
      '  - name: bench',
      `    driver: ${driver}`,
      `    base_url: http://127.0.0.1:${this.upstream.port}${sdk?.base ?? '/v1'}`,
      ...(sdk ? [`    api_key_env: ${keyName}`] : []),
      '    default_model: m',
      '',
    ].join('\n');
  }

  #cliProviders() {
    const providers = Object.entries(FAKE_CLIS).map(([name, command]) => ({
      ...{ name, driver: CLI_DRIVER, command, grace_sec: CLI_GRACE_S, max_concurrency: CLI_CONCURRENCY },
    }));
    // JSON is YAML.
    return JSON.stringify({ version: '1', providers });
  }
}
