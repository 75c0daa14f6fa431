import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Gateway } from '../gateway/gateway';
import type { Mount } from '../gateway/gateway-options';
import type { AccessRules } from '../gateway/access-guard';
import type { EventStream } from '../record/event-stream';
import { productName, productVersion } from '../package';
import type { Logger } from '../contract/api';
import { explainOffline } from './project/describe-provider';
import { FileChanges } from './project/file-changes';
import type { OpenedProject } from './project/opened-project';

export interface ListenerOptions {
  /** 0: any that is free. */
  port: number;
  access: AccessRules;
  /** Takes the lines of this listener. */
  log: Logger;
  stream: EventStream;
  /** What else answers on the port. */
  mount: Mount;
  /** `dashboard`: for those who look, and nobody's chats. Default: `gateway`. */
  serves?: 'gateway' | 'dashboard';
}

/** Loading plug-ins and their libraries occupies the process for a moment, when whoever started it is just asking. */
const CHECK_AFTER_MS = 50;

const NO_GATEWAY = 'this port serves the dashboard only; to have requests answered, run: drivebay serve';

/** A gateway that listens for one project. */
export class Listener {
  /** Settles when it is drained. */
  readonly closed: Promise<void>;
  private noteClosed!: () => void;
  private readonly closeRequest = new AbortController();
  private draining: Promise<void> | undefined;
  private readonly gateway: Gateway;
  private readonly changes: FileChanges;
  private boundTo: number;

  constructor(
    readonly opened: OpenedProject,
    private readonly options: ListenerOptions,
  ) {
    this.closed = new Promise((resolve) => (this.noteClosed = resolve));
    this.boundTo = options.port;
    this.changes = new FileChanges(opened.files);
    const { devices, defaultProvider, root } = opened.project;
    const { access, log, stream, mount } = options;
    const where = root === undefined ? {} : { project: root };
    this.gateway = new Gateway({
      devices,
      defaultProvider,
      access,
      log,
      mount,
      ...(this.serves === 'dashboard' && { onlyMount: NO_GATEWAY }),
      product: `${productName}/${productVersion}`,
      publish: (request, event) => void stream.publish({ ...where, kind: 'request', request, event }),
    });
  }

  get port(): number {
    return this.boundTo;
  }

  get serves(): 'gateway' | 'dashboard' {
    return this.options.serves ?? 'gateway';
  }

  /** Rejects with Node's own error, for example EADDRINUSE. */
  async listen(): Promise<void> {
    this.boundTo = (await this.gateway.listen(this.options.port)).port;
  }

  /** Every driver is made, so that its warnings are seen; but the first client comes before. */
  async checkProviders(): Promise<void> {
    const { log } = this.options;
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

  /** Says so when a file of the configuration is no longer what the requests are answered by. */
  noteChanges(howToRestart: () => string): void {
    for (const file of this.changes.take()) {
      this.options.log.warn(`${file} has changed; for that to have an effect, ${howToRestart()}`);
    }
  }

  /** Asks whoever has opened it to close it. */
  requestClose(): void {
    this.closeRequest.abort();
  }

  /** Resolves when it was asked to close, or the signal fires. */
  async untilClosing(signal?: AbortSignal): Promise<void> {
    const either = signal ? AbortSignal.any([signal, this.closeRequest.signal]) : this.closeRequest.signal;
    if (!either.aborted) await once(either, 'abort');
  }

  /** Takes no more requests, and resolves when the running ones are answered. */
  drain(): Promise<void> {
    this.draining ??= this.gateway.drain().then(this.noteClosed);
    return this.draining;
  }

  /** Ends the running requests with an error. */
  abort(): void {
    this.gateway.abortAll();
  }
}
