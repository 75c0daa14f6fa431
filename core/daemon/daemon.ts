import { createServer } from 'node:http';
import { messageOf } from '../errors';
import { EventStream } from '../record/event-stream';
import { productName, productVersion } from '../package';
import type { Paths } from '../paths';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { Ledger } from '../record/ledger';
import { localProcesses } from '../subprocess/local-processes';
import { reapLeftovers } from '../subprocess/reap-leftovers';
import { formatIdentity } from '../subprocess/run-marker';
import type { Agents } from './agents';
import type { ControlApi } from './control/control-api';
import { CONTROL_API } from './control/api-version';
import type { DaemonInfo, DaemonPlace } from './control/daemon-info';
import { bindControlSocket, type ControlSocket } from './socket/control-socket';
import { DashboardMount } from './dashboard/dashboard-mount';
import { Listeners } from './listeners';
import { Projects } from './project/projects';

export interface DaemonParts {
  paths: Pick<Paths, 'configHome' | 'state'>;
  environment: NodeJS.ProcessEnv;
  log: Logger;
  redactor: Redactor;
  mode: DaemonInfo['mode'];
  /** Where the log is; absent where it goes to a terminal. */
  logFile?: string;
}

/** How often it is looked whether clients can still find the daemon, and whether it works with what people have written. */
const LOOK_MS = 3_000;

/** Owner of everything that outlives a client: projects with their providers, processes, listeners, records, events. */
export class Daemon {
  readonly stream = new EventStream();
  readonly listeners = new Listeners(this.stream);
  readonly dashboard = new DashboardMount(this);
  readonly ledger: Ledger;
  readonly projects: Projects;
  /** Settles when somebody has asked the daemon to end. */
  readonly stopRequested: Promise<void>;
  /** Asks the daemon to end; whoever runs it closes it. */
  requestStop!: () => void;
  /** Whether another one takes its place when it has ended. */
  isRestarting = false;
  readonly startedAt = Date.now();
  private socket: ControlSocket | undefined;
  private api: ControlApi | undefined;
  private running: Promise<Agents> | undefined;
  private looking: NodeJS.Timeout | undefined;

  constructor(readonly parts: DaemonParts) {
    const { environment, redactor, log, paths } = parts;
    const { stream } = this;
    this.ledger = new Ledger({ state: paths.state, redactor, log });
    this.projects = new Projects({ environment, redactor, log, ledger: this.ledger, stream });
    this.stopRequested = new Promise((resolve) => (this.requestStop = resolve));
  }

  /** Makes the daemon reachable. Rejects with a DaemonRunsError when there is one already. */
  async bind(): Promise<DaemonPlace> {
    const server = createServer({ requestTimeout: 0 }, (request, response) => {
      // The first client pays for loading it, so that a start need not.
      this.api ??= new (require('./control/control-api') as typeof import('./control/control-api')).ControlApi(this);
      void this.api.serve(request, response);
    });
    this.socket = await bindControlSocket(server, this.parts.paths);
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
    return { socket: this.socket.path, info: this.describe() };
  }

  /** The agent processes and their records, read when first needed. */
  agents(): Promise<Agents> {
    this.running ??= (async () => {
      const { openAgents } = require('./agents') as typeof import('./agents');
      return openAgents(this);
    })();
    return this.running;
  }

  /** Work that a start leaves for later: ends what crashed daemons left, on disk and in the process table. */
  async tidyUp(): Promise<void> {
    const { log } = this.parts;
    try {
      await Promise.all([reapLeftovers(log), this.socket && this.agents(), this.ledger.prune()]);
    } catch (error) {
      log.warn(`looking for leftovers failed: ${messageOf(error)}`);
    }
  }

  /** Before agents are opened there is no process. */
  describe({ processes, unwritten } = { processes: 0, unwritten: 0 }): DaemonInfo {
    const { paths, mode, logFile } = this.parts;
    return {
      ...{ product: productName, version: productVersion, api: CONTROL_API, pid: process.pid, mode },
      ...{ startedAt: this.startedAt, config: paths.configHome, state: paths.state, log: logFile ?? null },
      listeners: this.listeners.list().map(({ port, opened, serves }) => ({
        port,
        project: opened.project.paths.projectRoot ?? null,
        demo: opened.ref.demo,
        serves,
      })),
      ...{ processes, unwritten },
    };
  }

  /** Where clients find the daemon; undefined: nowhere. */
  get socketPath(): string | undefined {
    return this.socket?.path;
  }

  /** What the records name as their daemon. */
  get identity(): string {
    return formatIdentity(localProcesses().identity);
  }

  /** How many agent processes live, and are not on disk yet, without opening what nobody has needed yet. */
  async count(): Promise<Pick<Required<DaemonInfo>, 'processes' | 'unwritten'>> {
    if (!this.running) return { processes: 0, unwritten: 0 };
    const { table, store } = await this.running;
    return { processes: table.list().length, unwritten: store.unwritten().length };
  }

  /** Lets running answers finish, ends the agent processes, and writes everything down. */
  async close(): Promise<void> {
    clearInterval(this.looking);
    this.dashboard.close();
    this.socket?.release();
    const agents = await this.running?.catch(() => undefined);
    // Compose runs first: they must not begin anything more.
    await Promise.all([this.listeners.closeAll(), agents?.compose.close(), agents?.table.close()]);
    await this.projects.close();
    await Promise.all([agents?.store.close(), this.ledger.flush()]);
    await this.api?.close();
  }

  private look(): void {
    this.lookAtSocket();
    for (const listener of this.listeners.list()) {
      if (listener.serves === 'gateway') listener.noteChanges(() => this.howToRestart());
    }
  }

  private howToRestart(): string {
    const { howToRestart } = require('./client/agreement') as typeof import('./client/agreement');
    return howToRestart(this.describe());
  }

  /** A daemon that no client can find any more, because its socket was removed, ends when it has nothing to do. */
  private lookAtSocket(): void {
    if (this.parts.mode !== 'background' || this.socket?.isInPlace()) return;
    void this.count().then(({ processes }) => {
      if (processes > 0 || this.listeners.list().some(({ serves }) => serves === 'gateway')) return;
      this.parts.log.warn('the control socket is gone and nothing runs: ending');
      this.requestStop();
    });
  }
}
