import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { LlmDevice } from '../devices/device';
import { CallAborted } from '../providers/call-clock';
import { HttpError } from '../serving/http-error';
import { readBody, requireJson } from '../serving/read-body';
import { sendJson } from '../serving/send';
import { AccessGuard } from './access-guard';
import { type Arrival, arrive } from './arrival';
import { type CallRecord, endEvent, logCall, startEvent } from './call-record';
import { answerPreflight, Cors, isPreflight } from './cors';
import type { CallForm, Dialect, DialectCall } from './dialect';
import type { DialectTable } from './dialect-table';
import type { GatewayOptions, Mount } from './gateway-options';
import { refuseOversized } from './refuse-raw';
import { ReplayGuard } from './replay-guard';
import { gatewayError, shuttingDown, toHttpError } from './to-http-error';

/** Status of a request whose client left before the answer, in logs and events only. */
const CLIENT_GONE = 499;
const HEALTH = '/health';

/** What happens to a request, whatever wire it speaks: arrive, identify, parse, route, run, answer, record. */
export class LifeCycle {
  private readonly startedAt = Date.now();
  private readonly guard: AccessGuard;
  private readonly cors: Cors;
  private readonly running = new Set<AbortController>();
  private readonly replays = new ReplayGuard();
  private readonly closing = new AbortController();
  private surface: Promise<RequestListener> | undefined;
  private requests = 0;

  constructor(
    private readonly options: GatewayOptions,
    private readonly dialects: DialectTable,
  ) {
    // Each request of the mount listens to it.
    setMaxListeners(0, this.closing.signal);
    this.guard = new AccessGuard(options.access);
    this.cors = new Cors(options.access.allowOrigins, dialects.all);
  }

  /** Turns new requests away, and ends the streams of the mount. */
  close(): void {
    this.closing.abort();
  }

  /** Ends every running call with an error. */
  abortAll(): void {
    for (const call of this.running) call.abort(new CallAborted('shutdown', 'drivebay is shutting down'));
  }

  nextId(): string {
    return `req_${this.startedAt.toString(36)}${(this.requests++).toString(36).padStart(5, '0')}`;
  }

  /** Answers every failure itself. `refusal`: what HTTP has against the request. */
  serve(request: IncomingMessage, response: ServerResponse, refusal?: HttpError): void {
    const arrival = arrive(this.nextId(), request, response);
    const { path, headers } = arrival;
    const call = this.dialects.callAt(path);
    const mount = call ? undefined : this.mountAt(path);
    for (const name of call?.dialect.headers.id ?? []) headers[name] = arrival.id;
    try {
      this.identify(arrival, mount, call?.dialect, refusal);
      if (mount) {
        response.setHeader('x-request-id', arrival.id);
        mount.serve(request, response, this.closing.signal);
      } else if (isPreflight(request)) {
        answerPreflight(request, response, headers);
        this.logRequest(arrival);
      } else if (call && request.method === 'POST') {
        void this.answerCall(arrival, call.dialect, call.form);
      } else if (path === HEALTH && (request.method === 'GET' || request.method === 'HEAD')) {
        const body = { status: 'ok', providers: this.options.devices.llms().length };
        sendJson(response, 200, body, { ...headers, server: this.options.product });
      } else {
        void this.serveRest(arrival);
      }
    } catch (error) {
      this.refuse(arrival, error);
    }
  }

  /** Throws when the request may not come from where it does, or not now, or has no key where one is wanted. */
  private identify(
    { request, headers, path }: Arrival,
    mount: Mount | undefined,
    dialect: Dialect | undefined,
    refusal: HttpError | undefined,
  ): void {
    this.guard.checkSource(request);
    if (!mount) this.cors.addHeaders(request, headers);
    if (this.closing.signal.aborted) throw shuttingDown();
    if (refusal) throw refusal;
    if (mount || path === HEALTH) return;
    if (this.options.onlyMount !== undefined) throw gatewayError('unknown_url', this.options.onlyMount);
    // A browser sends a preflight without the key.
    if (!isPreflight(request)) this.guard.checkKey(request, this.dialects.keyHeaders(dialect));
  }

  /** Parses, routes, runs, answers and records one call. */
  private async answerCall(arrival: Arrival, dialect: Dialect, form: CallForm): Promise<void> {
    const { id, request, response, headers, startedMs } = arrival;
    const { devices, defaultProvider, publish, log } = this.options;
    const arrivedAt = Date.now();
    const abort = this.abortOnLeave(response);
    const record: CallRecord = { status: 200 };
    let call: DialectCall | undefined;
    let device: LlmDevice | undefined;
    let run: string | undefined;
    try {
      requireJson(request);
      const body = await readBody(request, dialect.bodyLimit);
      call = form.parse(body, request.headers);
      record.model = call.model;

      const route = dialect.route(call.model, devices, defaultProvider);
      device = route.device;
      record.provider = device.name;
      headers['x-drivebay-provider'] = device.name;
      publish?.(id, startEvent(device.name, route.model, call.isStream));

      run = this.replays.check(device, body, headers);
      const caller = { id, asker: { type: 'gateway' } as const, abort, arrivedAt };
      const { model, usage, costUsd } = await call.run({ device, model: route.model, caller, response, headers });
      if (model !== undefined) record.model = model;
      if (costUsd > 0) record.costUsd = costUsd;
      record.usage = usage;
    } catch (error) {
      record.error = error as Error;
      const failure = toHttpError(error, device);
      this.replays.remember(run, error, failure);
      record.status = this.answerFailure(arrival, dialect, failure, call);
    }
    const ms = performance.now() - startedMs;
    logCall(log, form.kind, id, record, ms);
    if (record.provider !== undefined) publish?.(id, endEvent(record.provider, record, ms));
  }

  private abortOnLeave(response: ServerResponse): AbortController {
    const abort = new AbortController();
    this.running.add(abort);
    response.on('close', () => {
      this.running.delete(abort);
      if (!response.writableFinished) abort.abort(new CallAborted('client_gone', 'the client went away'));
    });
    return abort;
  }

  /** Returns the status that is recorded. */
  private answerFailure(
    { request, response, headers }: Arrival,
    dialect: Dialect,
    failure: HttpError,
    call: DialectCall | undefined,
  ): number {
    if (response.destroyed || response.writableEnded) return CLIENT_GONE;
    if (response.headersSent) {
      call?.fail(failure);
      return failure.status;
    }
    const spelled = dialect.spellError(failure);
    if (failure.code === 'request_too_large') refuseOversized(request, spelled, headers);
    else sendJson(response, spelled.status, spelled.body, { ...headers, ...spelled.headers });
    return spelled.status;
  }

  /** Everything but calls: models, descriptions, and the other routes of dialects. */
  private async serveRest(arrival: Arrival): Promise<void> {
    const { request, response, headers } = arrival;
    try {
      this.surface ??= import('./surface').then(({ createSurface }) =>
        createSurface(this.options.devices, this.dialects, this.startedAt),
      );
      const surface = await this.surface;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      surface(request, response);
      this.logRequest(arrival);
    } catch (error) {
      this.refuse(arrival, error);
    }
  }

  /** Ends a request that has not become a call. */
  private refuse(arrival: Arrival, error: unknown): void {
    const { id, response, headers, path } = arrival;
    const spelled = this.dialects.dialectAt(path).spellError(toHttpError(error));
    sendJson(response, spelled.status, spelled.body, { ...headers, ...spelled.headers });
    if (!(error instanceof HttpError)) this.options.log.error(`request failed: ${String(error)}`, { id });
    this.logRequest(arrival);
  }

  private logRequest({ id, request, response, path, startedMs }: Arrival): void {
    response.once('close', () => {
      const fields = { id, method: request.method, path, status: response.statusCode };
      this.options.log.info('request', { ...fields, ms: Math.round(performance.now() - startedMs) });
    });
  }

  private mountAt(path: string): Mount | undefined {
    const { mount } = this.options;
    return mount && (path === mount.path || path.startsWith(`${mount.path}/`)) ? mount : undefined;
  }
}
