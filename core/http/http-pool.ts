import type { Agent } from 'undici';
import type { HttpClient } from '../contract/api';
import { type Ending, endingOf } from '../contract/call-end';
import { DriverError } from '../contract/driver-error';
import { currentSpan } from '../contract/work-span';
import type { HttpLimits, TrackedOptions } from './connections';
import { explainFailure, isConnectionClosed, type Phase } from './failure';
import { makeFetch } from './fetch';
import { HttpAnswer } from './http-answer';
import { type Head, HttpExchange } from './http-exchange';
import type { PlannedRequest, PoolRequest, RequestBody } from './pool-request';
import { credentialsFor, type Proxies, type Proxy } from './proxies';
import { explainProxy, ProxyFailure } from './proxy-failure';

const PASSWORD_WANTED = 407;

/** In characters. A shorter text is not worth the time that `once` takes. */
const LONG_BODY = 4096;

const DEFAULT_LIMITS: HttpLimits = { connectTimeoutMs: 10_000, bodyTimeoutMs: 300_000 };

/** The keep-alive connections of one provider. The first request opens them. */
export class HttpPool implements HttpClient {
  private connections: typeof import('./connections') | undefined;
  private readonly agents = {
    kept: new Map<Proxy | undefined, Agent>(),
    /** For repetitions. After a pause every idle connection of the other agent may be stale. */
    fresh: new Map<Proxy | undefined, Agent>(),
  };
  private isClosed = false;
  readonly fetch = makeFetch(this);

  constructor(
    private readonly limits: HttpLimits = DEFAULT_LIMITS,
    /** Called with each request before it is sent. Its error is thrown in place of sending. */
    private readonly beforeSend?: (request: PlannedRequest) => void,
    /** Absent where requests go to their servers directly. */
    private readonly proxies?: Proxies,
  ) {}

  async request(address: string | URL, request: PoolRequest): Promise<HttpAnswer> {
    const url = typeof address === 'string' ? toUrl(address) : address;
    const ending = endingFor(request);
    if (!ending) throw new TypeError('a request needs its call as the driver got it, no copy, or a signal');
    this.checkOpen(url, ending);
    this.beforeSend?.({ ...request, url });
    if (!this.connections) {
      this.connections = await import('./connections');
      this.checkOpen(url, ending);
    }
    const proxy = this.proxies?.for(url);
    const first = dispatch(this.agent('kept', proxy), url, request, ending, proxy);
    try {
      return answerOf(url, await first.head, first, proxy);
    } catch (error) {
      const mayRepeat = isStale(first, error) && isRepeatable(request.body) && !ending.aborted;
      if (!mayRepeat) throw explain(url, ending, error, 'head', proxy);
    }
    this.checkOpen(url, ending);
    const second = dispatch(this.agent('fresh', proxy), url, request, ending, proxy);
    try {
      return answerOf(url, await second.head, second, proxy);
    } catch (error) {
      throw explain(url, ending, error, 'head', proxy);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const agents = Object.values(this.agents).flatMap((each) => [...each.values()]);
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  private agent(kind: 'kept' | 'fresh', proxy: Proxy | undefined): Agent {
    let agent = this.agents[kind].get(proxy);
    if (!agent) {
      agent = this.connections!.openAgent(this.limits, kind === 'kept', proxy);
      this.agents[kind].set(proxy, agent);
    }
    return agent;
  }

  private checkOpen(url: URL, ending: Ending): void {
    if (ending.aborted) throw canceled(url, ending);
    if (this.isClosed) throw new DriverError('canceled', `the connections to ${url.host} were closed`);
  }
}

function endingFor({ call, signal }: PoolRequest): Ending | undefined {
  if (!call) return signal;
  return signal ? AbortSignal.any([call.signal, signal]) : endingOf(call);
}

function toUrl(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new TypeError(`a request needs a whole URL, found "${address.split('?')[0]}"`);
}

function dispatch(
  agent: Agent,
  url: URL,
  { method, headers = {}, body }: PoolRequest,
  ending: Ending,
  proxy: Proxy | undefined,
): HttpExchange {
  const exchange = new HttpExchange(ending, (error) => explain(url, ending, error, 'body'));
  const path = url.pathname + url.search;
  const isAsked = proxy && url.protocol === 'http:';
  const span = currentSpan();
  const traced = span ? { ...headers, ...span.headers } : headers;
  const isLong = typeof body === 'string' && body.length > LONG_BODY;
  const sent = isLong ? { ...traced, 'content-length': String(Buffer.byteLength(body)) } : traced;
  const options: TrackedOptions = {
    origin: isAsked ? proxy.url.origin : url.origin,
    path: isAsked ? url.origin + path : path,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: isAsked ? { ...sent, host: url.host, ...credentialsFor(proxy) } : sent,
    // Undici sends any iterable. Its types know only some of them.
    body: (isLong ? once([body]) : (body ?? null)) as TrackedOptions['body'] & object,
    exchange,
  };
  agent.dispatch(options, exchange);
  return exchange;
}

/** Undici keeps a body until its answer has ended: of this only an empty list is left. */
function* once(texts: string[]): Generator<string, void> {
  while (texts.length > 0) yield texts.pop()!;
}

/** A proxy that wants a password answers in place of the server. */
function answerOf(url: URL, head: Head, exchange: HttpExchange, proxy: Proxy | undefined): HttpAnswer {
  const answer = new HttpAnswer(url, head, exchange);
  if (!proxy || head.status !== PASSWORD_WANTED) return answer;
  answer.discard();
  throw new ProxyFailure(PASSWORD_WANTED);
}

function explain(url: URL, ending: Ending, error: unknown, phase: Phase, proxy?: Proxy): DriverError {
  if (ending.aborted) return canceled(url, ending);
  return (proxy && explainProxy(proxy, url, error)) ?? explainFailure(url, error, phase);
}

function canceled(url: URL, { reason }: Ending): DriverError {
  return new DriverError('canceled', `the request to ${url.host} was canceled`, { cause: reason });
}

/** The server had closed an idle connection, so it almost certainly never saw the request. */
function isStale(exchange: HttpExchange, error: unknown): boolean {
  return exchange.isReused && !exchange.hasAnswered && isConnectionClosed(error);
}

function isRepeatable(body: RequestBody | undefined): boolean {
  return body === undefined || typeof body === 'string' || ArrayBuffer.isView(body);
}
