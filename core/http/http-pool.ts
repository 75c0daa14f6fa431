import type { Agent } from 'undici';
import type { HttpClient, HttpRequest } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { DEFAULT_LIMITS, openAgent, type HttpLimits, type TrackedOptions } from './connections';
import { Exchange, type Head } from './exchange';
import { explainFailure, isConnectionClosed } from './failure';
import { makeFetch } from './fetch';
import { Response } from './response';

/** An iterable body is sent as it comes, and only once. */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface PoolRequest extends Omit<HttpRequest, 'body'> {
  body?: RequestBody;
}

/** A request that is about to be sent. */
export interface PlannedRequest extends PoolRequest {
  url: URL;
}

/** The keep-alive connections of one provider. Opened by its first request. */
export class HttpPool implements HttpClient {
  private agent: Agent | undefined;
  /** For repetitions: after a pause of all, every idle connection may be as stale as the first. */
  private freshAgent: Agent | undefined;
  private isClosed = false;
  readonly fetch = makeFetch(this);

  constructor(
    private readonly limits: HttpLimits = DEFAULT_LIMITS,
    /** Told of each request before it is sent; what it throws is thrown in place of that. */
    private readonly beforeSend?: (request: PlannedRequest) => void,
  ) {}

  async request(address: string | URL, request: PoolRequest): Promise<Response> {
    const url = typeof address === 'string' ? toUrl(address) : address;
    const { signal } = request;
    // Drivers may be plain JavaScript.
    if (!(signal as AbortSignal | undefined)) throw new TypeError('a request needs a signal: give it that of the call');
    if (signal.aborted) throw this.canceled(url, signal);
    if (this.isClosed) throw new DriverError('canceled', `the connections to ${url.host} were closed`);
    this.beforeSend?.({ ...request, url });
    this.agent ??= openAgent(this.limits, true);
    const first = this.dispatch(this.agent, url, request);
    try {
      return this.respond(url, await first.head, first);
    } catch (error) {
      if (signal.aborted) throw this.canceled(url, signal);
      if (!isStale(first, error) || !isRepeatable(request.body)) throw explainFailure(url, error, 'head');
    }
    return this.repeat(url, request);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.agent?.destroy(), this.freshAgent?.destroy()]);
  }

  private async repeat(url: URL, request: PoolRequest): Promise<Response> {
    if (this.isClosed) throw new DriverError('canceled', `the connections to ${url.host} were closed`);
    this.freshAgent ??= openAgent(this.limits, false);
    const second = this.dispatch(this.freshAgent, url, request);
    try {
      return this.respond(url, await second.head, second);
    } catch (error) {
      if (request.signal.aborted) throw this.canceled(url, request.signal);
      throw explainFailure(url, error, 'head');
    }
  }

  private dispatch(agent: Agent, url: URL, { method, headers, signal, body }: PoolRequest): Exchange {
    const exchange = new Exchange(signal, (error) =>
      signal.aborted ? this.canceled(url, signal) : explainFailure(url, error, 'body'),
    );
    const options: TrackedOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: headers ?? {},
      // The library sends any iterable; its types know some of them only.
      body: (body ?? null) as TrackedOptions['body'] & object,
      exchange,
    };
    agent.dispatch(options, exchange);
    return exchange;
  }

  private respond(url: URL, head: Head, exchange: Exchange): Response {
    return new Response(url, head, exchange);
  }

  private canceled(url: URL, signal: AbortSignal): Error {
    return new DriverError('canceled', `the request to ${url.host} was canceled`, { cause: signal.reason });
  }
}

function toUrl(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new TypeError(`a request needs a whole URL, found "${address.split('?')[0]}"`);
}

/** An idle connection that the server had given up: as good as certainly it never saw the request. */
function isStale(exchange: Exchange, error: unknown): boolean {
  return exchange.isReused && !exchange.hasAnswered && isConnectionClosed(error);
}

function isRepeatable(body: RequestBody | undefined): boolean {
  return body === undefined || typeof body === 'string' || ArrayBuffer.isView(body);
}
