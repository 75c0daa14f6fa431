import { createServer } from 'node:http';
import type { AgentTable } from '../agents/agent-table';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { messageOf } from '../errors';
import { LimitBook } from '../limits/limit-book';
import { productName, productVersion } from '../package';
import { strayReasons } from '../plugins/stray-failures';
import { RestBook } from '../providers/rest-book';
import { EventStream } from '../record/event-stream';
import { warnOnce } from '../record/append-file';
import { Ledger } from '../record/ledger';
import { sendJson } from '../serving/send';
import { sweepOwnFolders } from '../subprocess/owned-folder';
import { reapLeftovers } from '../subprocess/reap-leftovers';
import type { ControlApi } from './control/control-api';
import { CONTROL_API, type DaemonInfo, type DaemonPlace } from './control/daemon-info';
import type { Operations } from './control/operations';
import { programGone } from './control/program-gone';
import type { ErrorAnswer } from './control/protocol';
import { DashboardMount } from './dashboard/dashboard-mount';
import { launchFolder } from './launched-programs';
import { Listeners } from './listen/listeners';
import { mcpMounts } from './mcp-server/mcp-mount';
import { openAgents } from './open-agents';
import { Projects } from './project/projects';
import { LiveConfiguration } from './reload/live-configuration';
import { SharedLimits } from './shared/shared-limits';
import { bindControlSocket, type ControlSocket } from './socket/control-socket';
import type { DaemonFolders } from './socket/socket-places';
import { Watching } from './watching';

interface DaemonParts {
  paths: DaemonFolders;
  environment: NodeJS.ProcessEnv;
  log: Logger;
  redactor: Redactor;
  mode: DaemonInfo['mode'];
  /** The file of the log; absent where the log goes to a terminal. */
  logFile?: string;
}

/** How often the daemon looks whether its socket and its configuration files are still the same. */
const LOOK_MS = 3_000;

/** Owner of everything that outlives a client: projects with their providers, processes, listeners, records, events. */
export class Daemon implements Operations {
  readonly stream = new EventStream();
  readonly listeners: Listeners;
  readonly ledger: Ledger;
  private readonly rests: RestBook;
  readonly limits: LimitBook;
  private readonly shared: SharedLimits;
  readonly projects: Projects;
  readonly live: LiveConfiguration;
  readonly startedAt = Date.now();
  isRestarting = false;
  /** Settles when the daemon is asked to end. The command that runs the daemon then closes it. */
  readonly stopRequested: Promise<void>;
  private requestStop!: () => void;
  private readonly dashboard: DashboardMount;
  private readonly watching: Watching;
  private socket: ControlSocket | undefined;
  private api: Promise<ControlApi> | undefined;
  private running: Promise<AgentTable> | undefined;
  private looking: NodeJS.Timeout | undefined;

  constructor(readonly parts: DaemonParts) {
    const { environment, redactor, log, paths } = parts;
    const { stream } = this;
    this.dashboard = new DashboardMount(this, this.control, () => this.socket?.path);
    this.listeners = new Listeners(
      stream,
      this.dashboard,
      mcpMounts(() => this.socket?.path, log),
      () => this.watching.tracing(),
    );
    this.ledger = new Ledger({ state: paths.state, redactor, log });
    this.rests = new RestBook(paths.state, true, warnOnce(log, 'the rests of providers cannot be kept'));
    const { ledger, rests } = this;
    const limits = (this.limits = new LimitBook({ state: paths.state, ledger, log }));
    const shared = (this.shared = new SharedLimits({ paths, environment, limits, rests, log, redactor }));
    const isReachable = () => this.socket !== undefined;
    this.projects = new Projects({ ...parts, isReachable, ledger, rests, limits, shared, stream });
    const { projects, listeners } = this;
    this.live = new LiveConfiguration({ projects, listeners, shared, stream, log });
    this.watching = new Watching(parts, {
      stream,
      ledger,
      refusals: limits.refusals,
      mode: parts.mode,
      devices: async () => (await projects.list()).flatMap(({ project }) => project.devices.llms()),
      inFlight: () => listeners.inFlight,
      processes: async () => (await this.running)?.count().processes ?? 0,
    });
    for (const name of this.watching.secrets) this.projects.hide(name);
    this.stopRequested = new Promise((resolve) => (this.requestStop = resolve));
  }

  /** Makes the daemon reachable. Rejects with a DaemonRunsError when another one runs. */
  async bind(): Promise<DaemonPlace> {
    const server = createServer({ requestTimeout: 0 }, (request, response) => {
      this.control().then(
        (api) => api.serve(request, response),
        (error: unknown) => {
          this.parts.log.error(`the control API cannot be loaded: ${messageOf(error)}`);
          const { status, code, message, hint } = programGone();
          sendJson(response, status, { error: { code, message, hint } } satisfies ErrorAnswer, { connection: 'close' });
        },
      );
    });
    this.socket = await bindControlSocket(server, this.parts.paths);
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
    return { socket: this.socket.path, info: await this.describe() };
  }

  /** Speed: a start does not load it. The first request does. */
  private readonly control = (): Promise<ControlApi> =>
    (this.api ??= import('./control/control-api').then(({ ControlApi }) => new ControlApi(this)));

  stop({ restart }: { restart: boolean }): void {
    this.isRestarting = restart;
    this.requestStop();
  }

  agents(): Promise<AgentTable> {
    this.running ??= openAgents(this.parts, this, () => this.watching.tracing());
    return this.running;
  }

  openDashboard() {
    return this.dashboard.open();
  }

  openMetrics() {
    return this.watching.openPage();
  }

  /** Work that a start leaves for later: ends what crashed daemons left, on disk and in the process table. */
  async tidyUp(): Promise<void> {
    const { log } = this.parts;
    try {
      sweepOwnFolders(launchFolder(this.parts.paths.state));
      await Promise.all([reapLeftovers(log), this.socket && this.agents(), this.ledger.prune()]);
    } catch (error) {
      log.warn(`looking for leftovers failed: ${messageOf(error)}`);
    }
  }

  async describe(): Promise<DaemonInfo> {
    const { paths, mode, logFile } = this.parts;
    // Without agents there is no process, and this must not open them. A daemon that cannot open them still answers.
    const agents = await this.running?.catch(() => undefined);
    return {
      product: productName,
      version: productVersion,
      api: CONTROL_API,
      pid: process.pid,
      mode,
      startedAt: this.startedAt,
      config: paths.configHome,
      state: paths.state,
      log: logFile ?? null,
      listeners: this.listeners.describe(),
      variables: await this.projects.ownVariables(),
      failures: strayReasons(),
      unserved: this.listeners.unserved.list(),
      ...(agents?.count() ?? { processes: 0, unwritten: 0 }),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.looking);
    this.live.close();
    await this.dashboard.close();
    this.socket?.release();
    const agents = await this.running?.catch(() => undefined);
    await Promise.all([this.listeners.closeAll(), agents?.close()]);
    await this.watching.close();
    await this.projects.close();
    await Promise.all([this.ledger.flush(), this.rests.flush(), this.shared.close()]);
    await (await this.api?.catch(() => undefined))?.close();
  }

  private look(): void {
    void this.lookAtSocket();
    if (!this.live.isWatching) this.listeners.noteChanges();
  }

  /** A daemon whose socket was removed can no longer be found by clients: it ends when it has nothing to do. */
  private async lookAtSocket(): Promise<void> {
    if (this.parts.mode !== 'background' || this.socket?.isInPlace()) return;
    const { processes, listeners } = await this.describe();
    if (processes > 0 || listeners.some(({ serves }) => serves === 'gateway')) return;
    this.parts.log.warn('the control socket is gone and nothing runs: ending');
    this.requestStop();
  }
}
