import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSource, digestOf } from '../../config/client-keys';
import type { Logger } from '../../contract/api';
import { waitAtMost } from '../../contract/wait-at-most';
import type { Problem } from '../../errors';
import { Gateway } from '../../gateway/gateway';
import type { GatewayOptions } from '../../gateway/gateway-options';
import { productName, productVersion } from '../../package';
import type { EventStream } from '../../record/event-stream';
import type { ExchangeFile } from '../../record/exchange-file';
import { HOW_TO_RELOAD } from '../client/agreement';
import type { Launched } from '../control/protocol';
import { changedFiles, newChanges } from '../project/fingerprint';
import type { OpenedProject } from '../project/opened-project';
import type { Project } from '../project/project';
import { checkDevices } from './check-devices';
import type { UnservedModels } from './unserved-models';
import { warnOfKeys } from './warn-of-keys';

/** What one listener is opened with. */
export interface ListenerOptions extends Pick<GatewayOptions, 'access' | 'upstreamStatus' | 'metrics' | 'log'> {
  /** 0: any free port. */
  port: number;
  /** Where it was opened. */
  workingDirectory: string;
  /** The variable that the key of `access` comes from. */
  apiKeyEnv?: string;
  /** Makes the recorder on disk for a port. Absent: there is none. */
  record?: (port: number) => ExchangeFile;
  /** `dashboard`: the port answers no chats. Default: `gateway`. */
  serves?: 'gateway' | 'dashboard';
  /** Serves MCP clients, too, with files of these folders; empty: those of the project. */
  mcp?: { roots: readonly string[] };
}

/** What it gets of its daemon. */
interface ListenerParts extends Pick<GatewayOptions, 'tracing' | 'recorder' | 'mounts'> {
  stream: EventStream;
  unserved: UnservedModels;
}

/** Loading plug-ins blocks the process for a moment, and the first request often follows the start at once. */
const CHECK_AFTER_MS = 50;
/** How long the end waits for the last lines of `--record`. */
const LAST_LINES_MS = 2_000;

const NO_GATEWAY = 'this port serves the dashboard only; to have requests answered, run: drivebay serve';
const HOW_TO_REOPEN = 'to use the new ones, end its `drivebay serve` with Ctrl-C and start it again';

export class Listener {
  port: number;
  readonly serves: 'gateway' | 'dashboard';
  readonly workingDirectory: string;
  private readonly gateway: Gateway;
  private changed: OpenedProject['files'];
  private lastClients: ClientSource | undefined;
  readonly closing: Promise<void>;
  /** The program that `launch` has opened it for. */
  launched: Launched | undefined;
  private beginClosing!: () => void;
  private draining: Promise<void> | undefined;
  private file: ExchangeFile | undefined;

  constructor(
    readonly opened: OpenedProject,
    private readonly options: ListenerOptions,
    { stream, unserved, tracing, recorder, mounts }: ListenerParts,
  ) {
    this.port = options.port;
    this.serves = options.serves ?? 'gateway';
    this.workingDirectory = options.workingDirectory;
    this.changed = changedFiles(opened);
    this.closing = new Promise((resolve) => (this.beginClosing = resolve));
    const { root: project, paths } = opened.project;
    const clientsOfNow = () => this.clients;
    this.lastClients = this.clients;
    const { access, upstreamStatus, metrics, log } = options;
    this.gateway = new Gateway({
      get devices() {
        return opened.project.devices;
      },
      get defaultProvider() {
        return opened.project.defaultProvider;
      },
      access,
      get clients() {
        return clientsOfNow();
      },
      limits: opened.project.limits,
      upstreamStatus,
      metrics,
      tracing,
      recorder,
      recorded: options.record && ((exchange) => this.file?.add(exchange)),
      log,
      mounts,
      unserved: (model) => {
        const notice = unserved.note(model, opened);
        if (notice !== undefined) log.warn(notice);
      },
      state: paths.state,
      onlyMount: this.serves === 'dashboard' ? NO_GATEWAY : undefined,
      product: `${productName}/${productVersion}`,
      publish: (request, event) => void stream.publish({ project, kind: 'request', request, event }),
    });
  }

  get log(): Logger {
    return this.options.log;
  }

  /** The current ones. A gateway that has asked for keys never stops asking: a file may lack a part while it is written. */
  private get clients(): ClientSource | undefined {
    const { clients, environment } = this.opened.project;
    if (clients && this.lastClients?.entries !== clients) this.lastClients = { entries: clients, environment };
    return this.lastClients;
  }

  /** Whether clients must send a key. */
  get needsKey(): boolean {
    return this.options.access.keyDigest !== undefined || this.clients !== undefined;
  }

  /** How many calls are not answered yet. */
  get inFlight(): number {
    return this.gateway.inFlight;
  }

  /** Rejects with Node's own error, for example EADDRINUSE. */
  async listen(): Promise<void> {
    this.port = (await this.gateway.listen(this.options.port)).port;
    this.file = this.options.record?.(this.port);
  }

  /** Makes every driver, or those of `names`, and logs its health and its warnings, after the first client has been served. */
  async checkProviders(names?: readonly string[]): Promise<void> {
    if (!names) this.warnOfKeys();
    await pause(CHECK_AFTER_MS);
    const devices = this.opened.project.devices.llms();
    await checkDevices(names ? devices.filter(({ name }) => names.includes(name)) : devices, this.options.log);
  }

  warnOfKeys(): void {
    if (this.serves !== 'dashboard') warnOfKeys(this.opened.project, this.options);
  }

  noteChanges(): void {
    const before = this.changed;
    this.changed = changedFiles(this.opened);
    for (const file of newChanges(this.changed, before)) {
      this.options.log.warn(`${file} has changed; to apply the change, ${HOW_TO_RELOAD}`);
    }
  }

  /** What the files of `next` set for its clients, and what it cannot take over while it is open. */
  stale(next: Project): Problem[] {
    const { port } = this;
    const problems: Problem[] = [];
    if (this.hasOtherKey(next)) {
      const name = this.options.apiKeyEnv;
      const message = `the gateway on port ${port} keeps the key that ${name} had when it was opened`;
      problems.push({ message, hint: HOW_TO_REOPEN });
    }
    if (this.clients && !next.clients) {
      const message = `the gateway on port ${port} keeps the clients that it had, because without them it would need no key`;
      problems.push({ message, hint: 'to need no key, end its `drivebay serve` with Ctrl-C and start it again' });
    }
    return problems;
  }

  private hasOtherKey({ environment }: Project): boolean {
    const { apiKeyEnv, access } = this.options;
    if (apiKeyEnv === undefined || !access.keyDigest || !environment.isFromFile(apiKeyEnv)) return false;
    return !digestOf(environment.get(apiKeyEnv)!.value).equals(access.keyDigest);
  }

  /** Takes no more requests, and resolves when the running ones are answered. */
  drain(): Promise<void> {
    this.beginClosing();
    this.draining ??= this.gateway.drain().then(() => {
      // Its disk may not answer.
      return this.file && waitAtMost(LAST_LINES_MS, this.file.flush());
    });
    return this.draining;
  }

  abort(): void {
    this.gateway.abortAll();
  }
}
