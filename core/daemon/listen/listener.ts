import { setTimeout as pause } from 'node:timers/promises';
import { readClientKeys } from '../../config/client-keys';
import type { Logger } from '../../contract/api';
import type { AccessRules } from '../../gateway/access-guard';
import { Gateway } from '../../gateway/gateway';
import type { GatewayOptions, Mount } from '../../gateway/gateway-options';
import { productName, productVersion } from '../../package';
import type { EventStream } from '../../record/event-stream';
import { explainOffline } from '../../devices/describe-device';
import type { Launched } from '../control/protocol';
import { FileChanges } from '../project/fingerprint';
import type { OpenedProject } from '../project/opened-project';
import type { UnservedModels } from './unserved-models';

export interface ListenerOptions {
  /** 0: any free port. */
  port: number;
  access: AccessRules;
  upstreamStatus?: boolean;
  /** The page for Prometheus; absent: the gateway has none. */
  metrics?: GatewayOptions['metrics'];
  tracing?: GatewayOptions['tracing'];
  log: Logger;
  stream: EventStream;
  mounts: readonly Mount[];
  unserved: UnservedModels;
  /** `dashboard`: the port answers no chats. Default: `gateway`. */
  serves?: 'gateway' | 'dashboard';
}

/** Loading plug-ins blocks the process for a moment, and the first request often follows the start at once. */
const CHECK_AFTER_MS = 50;

const NO_GATEWAY = 'this port serves the dashboard only; to have requests answered, run: drivebay serve';

export class Listener {
  port: number;
  readonly serves: 'gateway' | 'dashboard';
  private readonly gateway: Gateway;
  private readonly changes: FileChanges;
  readonly closing: Promise<void>;
  /** The program that `launch` has opened it for. */
  launched: Launched | undefined;
  private beginClosing!: () => void;
  private draining: Promise<void> | undefined;

  constructor(
    readonly opened: OpenedProject,
    private readonly options: ListenerOptions,
  ) {
    this.port = options.port;
    this.serves = options.serves ?? 'gateway';
    this.changes = new FileChanges(opened.files);
    this.closing = new Promise((resolve) => (this.beginClosing = resolve));
    const { devices, defaultProvider, root: project, paths, clients, environment } = opened.project;
    const { access, upstreamStatus, metrics, tracing, log, stream, mounts, unserved } = options;
    this.gateway = new Gateway({
      devices,
      defaultProvider,
      access,
      clients: clients && { entries: clients, environment },
      limits: opened.project.limits,
      upstreamStatus,
      metrics,
      tracing,
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

  /** Whether clients must send a key. */
  get needsKey(): boolean {
    return this.options.access.keyDigest !== undefined || this.opened.project.clients !== undefined;
  }

  /** How many calls are not answered yet. */
  get inFlight(): number {
    return this.gateway.inFlight;
  }

  /** Rejects with Node's own error, for example EADDRINUSE. */
  async listen(): Promise<void> {
    this.port = (await this.gateway.listen(this.options.port)).port;
  }

  /** Makes every driver and logs its health and its warnings, after the first client has been served. */
  async checkProviders(): Promise<void> {
    const { log } = this.options;
    this.warnOfKeys();
    await pause(CHECK_AFTER_MS);
    await Promise.all(
      this.opened.project.devices.llms().map(async (device) => {
        const health = await device.check();
        if (health.state === 'offline') log.warn(explainOffline(device.name, health.reason, health.hint));
        else log.info(`${device.name} is ${health.state}`, { ms: health.latencyMs });
        for (const warning of health.warnings ?? []) log.warn(`${device.name}: ${warning}`);
      }),
    );
  }

  private warnOfKeys(): void {
    const { log, access } = this.options;
    const { clients, environment } = this.opened.project;
    if (!clients || this.serves === 'dashboard') return;
    for (const { fault } of readClientKeys({ entries: clients, environment }))
      if (fault) log.warn(`${fault.message}; ${fault.hint}`);
    if (clients.length > 0 || access.keyDigest) return;
    log.warn('clients is an empty list, so no key opens this gateway; to make one: drivebay clients new NAME');
  }

  noteChanges(howToRestart: string): void {
    for (const file of this.changes.take()) {
      this.options.log.warn(`${file} has changed; for that to have an effect, ${howToRestart}`);
    }
  }

  /** Takes no more requests, and resolves when the running ones are answered. */
  drain(): Promise<void> {
    this.beginClosing();
    this.draining ??= this.gateway.drain();
    return this.draining;
  }

  abort(): void {
    this.gateway.abortAll();
  }
}
