import type { Agent } from 'undici';
import type { HttpClient } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import type { HttpLimits, TrackedOptions } from './connections';
import { explainFailure, isConnectionClosed, type Phase } from './failure';
import { makeFetch } from './fetch';
import { HttpAnswer } from './http-answer';
import { HttpExchange } from './http-exchange';
import type { PlannedRequest, PoolRequest, RequestBody } from './pool-request';

const DEFAULT_LIMITS: HttpLimits = { connectTimeoutMs: 10_000, bodyTimeoutMs: 300_000 };

/** The keep-alive connections of one provider. The first request opens them. */
export class HttpPool implements HttpClient {
  private connections: typeof import('./connections') | undefined;
  private agent: Agent | undefined;
  /** For repetitions. After a pause every idle connection of the other agent may be stale. */
  private freshAgent: Agent | undefined;
  private isClosed = false;
  readonly fetch = makeFetch(this);

  constructor(
    private readonly limits: HttpLimits = DEFAULT_LIMITS,
    /** Called with each request before it is sent. Its error is thrown in place of sending. */
    private readonly beforeSend?: (request: PlannedRequest) => void,
  ) {}

  async request(address: string | URL, request: PoolRequest): Promise<HttpAnswer> {
    const url = typeof address === 'string' ? toUrl(address) : address;
    const { signal } = request;
    // Drivers may be plain JavaScript.
    if (!(signal as AbortSignal | undefined)) throw new TypeError('a request needs a signal: give it that of the call');
    this.checkOpen(url, signal);
    this.beforeSend?.({ ...request, url });
    if (!this.connections) {
      this.connections = await import('./connections');
      this.checkOpen(url, signal);
    }
    this.agent ??= this.connections.openAgent(this.limits, true);
    const first = dispatch(this.agent, url, request);
    try {
      return new HttpAnswer(url, await first.head, first);
    } catch (error) {
      const mayRepeat = isStale(first, error) && isRepeatable(request.body) && !signal.aborted;
      if (!mayRepeat) throw explain(url, signal, error, 'head');
    }
    this.checkOpen(url, signal);
    this.freshAgent ??= this.connections.openAgent(this.limits, false);
    const second = dispatch(this.freshAgent, url, request);
    try {
      return new HttpAnswer(url, await second.head, second);
    } catch (error) {
      throw explain(url, signal, error, 'head');
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.agent?.destroy(), this.freshAgent?.destroy()]);
  }

  private checkOpen(url: URL, signal: AbortSignal): void {
    if (signal.aborted) throw canceled(url, signal);
    if (this.isClosed) throw new DriverError('canceled', `the connections to ${url.host} were closed`);
  }
}

function toUrl(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new TypeError(`a request needs a whole URL, found "${address.split('?')[0]}"`);
}

function dispatch(agent: Agent, url: URL, { method, headers, signal, body }: PoolRequest): HttpExchange {
  const exchange = new HttpExchange(signal, (error) => explain(url, signal, error, 'body'));
  const options: TrackedOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: headers ?? {},
    // Undici sends any iterable. Its types know only some of them.
    body: (body ?? null) as TrackedOptions['body'] & object,
    exchange,
  };
  agent.dispatch(options, exchange);
  return exchange;
}

function explain(url: URL, signal: AbortSignal, error: unknown, phase: Phase): DriverError {
  return signal.aborted ? canceled(url, signal) : explainFailure(url, error, phase);
}

function canceled(url: URL, signal: AbortSignal): DriverError {
  return new DriverError('canceled', `the request to ${url.host} was canceled`, { cause: signal.reason });
}

/** The server had closed an idle connection, so it almost certainly never saw the request. */
function isStale(exchange: HttpExchange, error: unknown): boolean {
  return exchange.isReused && !exchange.hasAnswered && isConnectionClosed(error);
}

function isRepeatable(body: RequestBody | undefined): boolean {
  return body === undefined || typeof body === 'string' || ArrayBuffer.isView(body);
}
