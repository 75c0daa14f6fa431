import { valueOf } from '../../config/located';
import type { Logger } from '../../contract/api';
import type { Tracing } from '../../contract/work-span';
import { formatPosition, UsageError } from '../../errors';
import type { Mount } from '../../gateway/gateway-options';
import type { EventStream } from '../../record/event-stream';
import { FlightRecorder } from '../../record/flight-recorder';
import type { DaemonInfo } from '../control/daemon-info';
import type { OpenedProject } from '../project/opened-project';
import type { Project } from '../project/project';
import type { Listener, ListenerOptions } from './listener';
import { UnservedModels } from './unserved-models';

type Placed = Pick<OpenedProject, 'ref' | 'project'>;

/** A project, with the folder where the gateway was opened: several folders share a project. */
function placed(opened: OpenedProject, { workingDirectory }: Pick<ListenerOptions, 'workingDirectory'>): Placed {
  return {
    ref: { ...opened.ref, workingDirectory },
    get project() {
      return opened.project;
    },
  };
}

export class Listeners {
  private readonly open = new Map<number, Listener>();
  private choosing: Promise<unknown> = Promise.resolve();
  readonly unserved = new UnservedModels();
  readonly recorder = new FlightRecorder();

  constructor(
    private readonly stream: EventStream,
    /** Answers on every port beside the gateway. */
    private readonly mount: Mount,
    /** Makes the MCP server of a gateway. */
    private readonly mcpFor: (opened: Placed, roots: readonly string[]) => Mount,
    private readonly tracing: () => Promise<Tracing | undefined>,
  ) {}

  /** Rejects with Node's own error, for example EADDRINUSE, and with a UsageError where the project demands a key. */
  async add(opened: OpenedProject, options: ListenerOptions): Promise<Listener> {
    const { access, mcp } = options;
    if (!access.keyDigest && !opened.project.clients) demandKey(opened.project, mcp !== undefined);
    const mounts = mcp ? [this.mount, this.mcpFor(placed(opened, options), mcp.roots)] : [this.mount];
    // Speed: a daemon without a gateway does not load the gateway.
    const { Listener } = await import('./listener');
    const { stream, recorder, unserved } = this;
    const tracing = await this.tracing();
    const listener = new Listener(opened, options, { stream, recorder, mounts, unserved, tracing });
    await listener.listen();
    this.open.set(listener.port, listener);
    this.publishChange();
    return listener;
  }

  /** A listener that shows the dashboard: an open one, first of all one of the project, or else a new one. */
  forDashboard(opened: OpenedProject, options: { port?: number; log: Logger }): Promise<Listener> {
    // One after the other, so that two commands at once share a listener.
    const next = this.choosing.then(() => this.choose(opened, options));
    this.choosing = next.catch(() => undefined);
    return next;
  }

  find(port: number): Listener | undefined {
    return this.open.get(port);
  }

  /** How many calls are not answered yet. */
  get inFlight(): number {
    return this.list().reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  list(): Listener[] {
    return [...this.open.values()].sort((a, b) => a.port - b.port);
  }

  /** Says in the logs of the gateways which files have changed. */
  noteChanges(): void {
    for (const listener of this.list()) if (listener.serves === 'gateway') listener.noteChanges();
  }

  describe(): DaemonInfo['listeners'] {
    return this.list().map(({ port, opened, serves, needsKey, launched }) => ({
      port,
      project: opened.project.paths.projectRoot ?? null,
      demo: opened.ref.demo,
      useProject: opened.ref.useProject,
      pluginPath: opened.ref.pluginPath,
      serves,
      needsKey,
      program: launched?.program.pid,
    }));
  }

  async close(listener: Listener): Promise<void> {
    await listener.drain();
    if (this.open.get(listener.port) === listener) this.open.delete(listener.port);
    this.publishChange();
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.list().map((listener) => this.close(listener)));
  }

  abortAll(): void {
    for (const listener of this.list()) listener.abort();
  }

  private async choose(opened: OpenedProject, { port, log }: { port?: number; log: Logger }): Promise<Listener> {
    const open = this.list();
    const ofProject = open.find((each) => each.opened.project.root === opened.project.root);
    const found = port === undefined ? (ofProject ?? open[0]) : this.find(port);
    if (found) return found;
    const access = { allowHosts: [], allowOrigins: [] };
    // To look at a page must not open a gateway, and the page outlives the command that opened it.
    const { workingDirectory } = opened.ref;
    return this.add(opened, { port: port ?? 0, workingDirectory, access, log, serves: 'dashboard' });
  }

  private publishChange(): void {
    this.stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'listeners' } });
  }
}

/** Throws a UsageError where a gateway without a key would let every program of this machine use the tools of an agent. */
export function demandKey({ entries, plugins }: Pick<Project, 'entries' | 'plugins'>, hasMcp: boolean): void {
  if (hasMcp) {
    throw new UsageError(
      'MCP clients can run agents, so the gateway needs a key',
      'run: drivebay mcp serve --http --api-key-env NAME, with a key of your choice in the variable NAME; or: drivebay clients new NAME',
    );
  }
  for (const { name, driver, fields } of entries) {
    const option = fields.entries.get('gateway_tools');
    if (!option || valueOf(option) !== true) continue;
    if (!Object.hasOwn(plugins.find(driver)?.manifest?.options ?? {}, 'gateway_tools')) continue;
    throw new UsageError(
      `provider "${name}" lets chats of the gateway use its tools (gateway_tools, ${formatPosition(option.place)}), so the gateway needs a key`,
      'run: drivebay serve --api-key-env NAME, with a key of your choice in the variable NAME; or take gateway_tools out',
    );
  }
}
