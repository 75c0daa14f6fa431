import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestEvent } from '../record/live-event';
import type { Logger } from '../contract/api';
import { CallAborted } from '../providers/call-clock';
import type { DeviceTable } from '../devices/device-table';
import { announcesMore } from '../serving/read-body';
import { sendJson } from '../serving/send';
import { AccessGuard, type AccessRules } from './access-guard';
import { BODY_LIMIT, chatCompletions } from './chat-completions';
import { Connections } from './connections';
import { GatewayError, shuttingDown, toGatewayError } from './gateway-error';
import { logChat } from './log-chat';
import { answerPreflight, isPreflight } from './preflight';
import { endEvent } from './request-event';
import { explainUnreadable, refuseRaw } from './refuse-raw';
import { ReplayGuard } from './replay-guard';
import { pathOf, useOriginForm } from './request-target';
import { sendError } from './send-error';

export interface GatewayOptions {
  devices: DeviceTable;
  defaultProvider: string | undefined;
  access: AccessRules;
  log: Logger;
  /** Sent as `Server`, so that another drivebay can tell who has the port. */
  product: string;
  /** Told when a chat begins and ends; absent: nobody watches. */
  publish?: (request: string, event: RequestEvent) => void;
  mount?: Mount;
  /** Nothing but the mount and /health is served; this is told to whoever asks for more. */
  onlyMount?: string;
}

/**
 * Something else that answers on the gateway's port. The gateway decides where its requests may come from, and no more:
 * neither the gateway's key nor its CORS headers are for it.
 */
export interface Mount {
  /** What is at this path and below it belongs to the mount. */
  path: string;
  /** Answers every failure itself. `closing` fires when the gateway takes no more requests: streams have to end. */
  serve(request: IncomingMessage, response: ServerResponse, closing: AbortSignal): void;
}

const LOOPBACK = '127.0.0.1';
/** The hot route. */
const CHAT = '/v1/chat/completions';
const DRAIN_MS = 10_000;

/** The HTTP gateway: one listener on loopback, in front of the devices. */
export class Gateway {
  private readonly server: Server;
  private readonly connections: Connections;
  private readonly guard: AccessGuard;
  private readonly startedAt = Date.now();
  private readonly running = new Set<AbortController>();
  private readonly replays = new ReplayGuard();
  private readonly closing = new AbortController();
  private surface: Promise<RequestListener> | undefined;
  private requests = 0;

  constructor(private readonly options: GatewayOptions) {
    // One for each request of the mount that goes on.
    setMaxListeners(0, this.closing.signal);
    this.guard = new AccessGuard(options.access);
    this.server = createServer({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // How often the two limits above are looked at; Node's default is 30 s.
      connectionsCheckingInterval: 1_000,
      // Longer than clients keep idle connections, so that the client is the one who closes.
      keepAliveTimeout: 75_000,
      // A request without a Host is answered by the guard, in JSON.
      requireHostHeader: false,
    });
    this.connections = new Connections(this.server);
    this.server.on('request', (request, response) => void this.serve(request, response));
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (!announcesMore(request, BODY_LIMIT)) response.writeContinue();
      void this.serve(request, response);
    });
    this.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      void this.serve(request, response, unmetExpectation(request));
    });
    this.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      this.refuse(socket, new GatewayError('method_not_allowed', 'this is no proxy: there is no CONNECT'));
    });
    this.server.on('clientError', (error: Error, socket: Duplex) => this.refuse(socket, explainUnreadable(error)));
  }

  /** Rejects with Node's own error, for example EADDRINUSE. */
  listen(port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host: LOOPBACK }, () => {
        this.server.off('error', reject);
        resolve(this.server.address() as AddressInfo);
      });
    });
  }

  /** Takes no more requests, lets the running ones finish for a while, then ends them. */
  async drain(): Promise<void> {
    this.closing.abort();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.connections.close();
    const patience = setTimeout(() => this.abortAll(), DRAIN_MS);
    await closed;
    clearTimeout(patience);
  }

  /** Ends every running request with an error. */
  abortAll(): void {
    for (const call of this.running) call.abort(new CallAborted('shutdown', 'drivebay is shutting down'));
    // What has not ended by then belongs to a client that does not read.
    setTimeout(() => this.server.closeAllConnections(), 500).unref();
  }

  private nextId(): string {
    return `req_${this.startedAt.toString(36)}${(this.requests++).toString(36).padStart(5, '0')}`;
  }

  /** Answers what never became a request, on the bare socket; undefined: nobody is there to read an answer. */
  private refuse(socket: Duplex, error: GatewayError | undefined): void {
    if (!error || !socket.writable) {
      socket.destroy();
      return;
    }
    const id = this.nextId();
    refuseRaw(socket, error, { 'x-request-id': id });
    this.options.log.info('request', { id, status: error.status, error: error.message });
  }

  private async serve(request: IncomingMessage, response: ServerResponse, refusal?: GatewayError): Promise<void> {
    this.connections.hold(request.socket, response);
    const started = performance.now();
    const id = this.nextId();
    useOriginForm(request);
    const path = pathOf(request);
    const headers: Record<string, string> = { 'x-request-id': id };
    const mount = path === CHAT ? undefined : this.mountAt(path);
    try {
      this.guard.checkSource(request);
      if (!mount) Object.assign(headers, this.guard.corsHeaders(request));
      if (this.closing.signal.aborted) throw shuttingDown();
      if (refusal) throw refusal;
      if (mount) {
        response.setHeader('x-request-id', id);
        mount.serve(request, response, this.closing.signal);
        return;
      }
      if (this.options.onlyMount !== undefined && path !== '/health') {
        throw new GatewayError('unknown_url', this.options.onlyMount);
      }
      // A browser asks before it shows any key.
      const asksFirst = isPreflight(request);
      if (!asksFirst && path !== '/health') this.guard.checkKey(request);
      if (asksFirst) {
        answerPreflight(request, response, headers);
      } else if (request.method === 'POST' && path === CHAT) {
        const record = await chatCompletions(request, response, { id, headers }, this.surroundings());
        const ms = performance.now() - started;
        logChat(this.options.log, id, record, ms);
        if (record.provider !== undefined) this.options.publish?.(id, endEvent(record.provider, record, ms));
        return;
      } else if (isReading(request) && path === '/health') {
        const body = { status: 'ok', providers: this.options.devices.llms().length };
        sendJson(response, 200, body, { ...headers, server: this.options.product });
        return;
      } else {
        await this.serveRest(request, response, headers);
      }
    } catch (error) {
      sendError(response, toGatewayError(error, undefined), headers);
      if (!(error instanceof GatewayError)) this.options.log.error(`request failed: ${String(error)}`, { id });
    }
    response.once('close', () => {
      const fields = { id, method: request.method, path, status: response.statusCode };
      this.options.log.info('request', { ...fields, ms: Math.round(performance.now() - started) });
    });
  }

  private mountAt(path: string): Mount | undefined {
    const { mount } = this.options;
    return mount && (path === mount.path || path.startsWith(`${mount.path}/`)) ? mount : undefined;
  }

  private async serveRest(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Record<string, string>,
  ): Promise<void> {
    this.surface ??= import('./surface').then(({ createSurface }) =>
      createSurface(this.options.devices, this.startedAt),
    );
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    (await this.surface)(request, response);
  }

  private surroundings() {
    const { devices, defaultProvider, publish } = this.options;
    return { devices, defaultProvider, replays: this.replays, running: this.running, publish };
  }
}

function unmetExpectation({ headers }: IncomingMessage): GatewayError {
  const message = `Expect: found ${JSON.stringify(headers.expect)}, expected 100-continue or no such header`;
  return new GatewayError('expectation_failed', message, { headers: { connection: 'close' } });
}

/** Node leaves the body out of an answer to HEAD. */
function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
