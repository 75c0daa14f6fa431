import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { CallEnd } from '../contract/call-end';
import type { DeviceCall, LlmDevice } from '../devices/device';
import { RouteFailure } from '../devices/route-failure';
import { CallAborted } from '../providers/call-clock';
import { HttpError } from '../serving/http-error';
import { readBody, requireJson } from '../serving/read-body';
import { sendJson } from '../serving/send';
import { admitDepth, DEPTH_HEADER } from '../subprocess/depth';
import { abortOnLeave, untilSent } from './abort-on-leave';
import { answerPreflight, isPreflight } from './access-guard';
import { answerFailure } from './answer-failure';
import { noteTarget } from './answer-headers';
import { type Arrival, arrive } from './arrival';
import { CallRecord } from './call-record';
import { readCarrierKey } from './carrier-key';
import { Carriers } from './carriers';
import { noteSender } from './clients/gateway-client';
import { runLimited } from './clients/client-limits';
import { hideBudgets, veil } from './clients/veil';
import type { CallForm, Dialect, DialectCall } from './dialect';
import type { DialectTable } from './dialect-table';
import { Door, HEALTH } from './door';
import { DoorLog } from './door-log';
import { type GatewayOptions, mountAt } from './gateway-options';
import { logRequest } from './log-request';
import { ReplayGuard } from './replay-guard';
import { routeCall } from './route-call';
import { adviseColon, isUnserved } from './route-model';
import { toHttpError } from './to-http-error';

/** The life of every request, in any wire: arrive, identify, parse, route, run, answer, record. */
export class LifeCycle {
  private readonly startedAt = Date.now();
  private readonly idPrefix = `req_${this.startedAt.toString(36)}`;
  private readonly door: Door;
  readonly doorLog: DoorLog;
  readonly running: DeviceCall[] = [];
  private readonly replays = new ReplayGuard();
  private readonly closing = new AbortController();
  private readonly carriers: Carriers;
  private surface: Promise<RequestListener> | undefined;
  private requests = 0;

  constructor(
    private readonly options: GatewayOptions,
    private readonly dialects: DialectTable,
  ) {
    // Every request of the mount listens to this signal.
    setMaxListeners(0, this.closing.signal);
    this.carriers = new Carriers(() => readCarrierKey(options.state, options.log));
    this.door = new Door(options, dialects);
    this.doorLog = new DoorLog(options.log);
  }

  /** Turns new requests away, and ends the streams of the mount. */
  close(): void {
    this.closing.abort();
  }

  abortAll(): void {
    for (const { abort } of [...this.running]) abort.abort(new CallAborted('shutdown', 'drivebay is shutting down'));
  }

  readonly nextId = () => this.idPrefix + (this.requests++).toString(36).padStart(5, '0');

  /** Answers every failure itself. `refusal` is an error that was found in the head of the request. */
  serve(request: IncomingMessage, response: ServerResponse, refusal?: HttpError): void {
    const arrival = arrive(this.nextId(), request, response);
    const { id, path, headers } = arrival;
    const call = this.dialects.calls.get(path);
    const mount = call ? undefined : mountAt(this.options.mounts, path, request);
    for (const name of (call?.dialect ?? this.dialects.dialectOf(request)).headers.id) headers[name] = id;
    try {
      this.door.identify(arrival, mount, call?.dialect, refusal, this.closing.signal.aborted);
      if (mount) {
        response.setHeader('x-request-id', id);
        if (arrival.client) noteSender(request, arrival.client);
        mount.serve(request, response, this.closing.signal);
      } else if (isPreflight(request)) {
        answerPreflight(request, response, headers);
        if (this.doorLog.takes(response.statusCode)) logRequest(this.options.log, arrival);
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

  private async answerCall(arrival: Arrival, dialect: Dialect, form: CallForm): Promise<void> {
    const { id, request, response, headers, own, client } = arrival;
    const arrivedAt = Date.now();
    const record = new CallRecord(form.kind, dialect.name, arrival, arrivedAt, this.options);
    // A client with a list of what is allowed is not told the targets of a route: it may not ask for them.
    const routed = client?.isRestricted ? {} : headers;
    // Speed: V8 moves a function that is assigned to a field later to the old objects, and its whole request with it.
    const caller: DeviceCall = {
      id,
      asker: { type: 'gateway', dialect: dialect.name, client: client?.name },
      abort: new CallEnd(),
      arrivedAt,
      own,
      span: record.span,
      exchange: record.exchange,
      onQuotas: (quotas) => dialect.spellQuotas?.(quotas, headers),
      onTarget: (target, model, before) => noteTarget(target, model, before, routed, record),
      onFailure: (used) => (record.used = used),
    };
    abortOnLeave(caller, response, this.running);
    let call: DialectCall | undefined;
    let device: LlmDevice | undefined;
    let run: string | undefined;
    try {
      caller.depth = admitDepth(request.headers[DEPTH_HEADER]);
      requireJson(request);
      own.pause();
      let body: Buffer | undefined = await readBody(request, dialect.bodyLimit);
      const readAt = own.resume();
      record.exchange?.noteBody(body, readAt);
      const allowed = client?.allowedIn(this.options.devices);
      call = record.noteCall(form.parse(body, request.headers, this.carriers, client?.name), allowed);
      const route = routeCall(dialect, call, this.options, allowed);
      if (!route) {
        await call.runUnrouted!({ response, headers, own });
        await untilSent(response);
        return record.end(false);
      }
      device = route.device;
      device.users.enter();
      headers['x-drivebay-provider'] = device.name;
      record.start(device, route.model, call.isStream);
      run = this.replays.check(device, body, headers, client?.name);
      // It may be large, and the answer long.
      body = undefined;
      const account = client && !call.isFree ? this.options.limits?.client(client.entry) : undefined;
      if (!call.isStream) caller.patienceS = dialect.patienceS;
      const context = {
        device,
        model: route.model,
        caller,
        running: this.running,
        response,
        headers,
        own,
        carriers: this.carriers,
        isVeiled: device.route !== undefined && client?.isRestricted === true,
      };
      const answering = call;
      record.used = account ? await runLimited(account, caller, () => answering.run(context)) : await call.run(context);
      await untilSent(response);
    } catch (error) {
      const whole = toHttpError(error, device);
      const shown = client ? hideBudgets(whole) : whole;
      const veiled = client?.isRestricted && device?.route ? veil(shown, error, device, call?.model) : shown;
      const { devices } = this.options;
      const unserved = call && isUnserved(call.model, veiled, devices) ? call.model : undefined;
      if (unserved !== undefined) this.options.unserved?.(unserved);
      const visible = client?.allowedIn(devices) ?? devices;
      const failure = unserved === undefined ? veiled : adviseColon(veiled, unserved, visible);
      if (error instanceof RouteFailure) noteTarget(error.device, undefined, error.attempts, routed, record);
      this.replays.remember(run, error, failure);
      const status = answerFailure(arrival, dialect, failure, call, this.options.upstreamStatus);
      record.fail(error as Error, status, failure);
    } finally {
      device?.users.leave();
    }
    record.end(caller.isBooked);
  }

  /** Everything but calls and /health. */
  private async serveRest(arrival: Arrival): Promise<void> {
    const { request, response, headers } = arrival;
    try {
      this.surface ??= import('./surface').then(({ createSurface }) =>
        createSurface(this.options, this.dialects, this.startedAt),
      );
      const surface = await this.surface;
      if (arrival.client) noteSender(request, arrival.client);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      logRequest(this.options.log, arrival);
      surface(request, response);
    } catch (error) {
      this.refuse(arrival, error);
    }
  }

  private refuse(arrival: Arrival, error: unknown): void {
    const { id, request, response, headers } = arrival;
    if (!(error instanceof HttpError)) this.options.log.error(`request failed: ${String(error)}`, { id });
    const spelled = this.dialects.dialectOf(request).spellError(toHttpError(error), id);
    if (this.doorLog.takes(spelled.status)) logRequest(this.options.log, arrival);
    sendJson(response, spelled.status, spelled.body, { ...headers, ...spelled.headers });
  }
}
