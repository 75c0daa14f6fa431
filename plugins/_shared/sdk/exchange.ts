import type { DriverContext, HttpClient, HttpResponse } from 'drivebay/plugin';

const EXCHANGE = Symbol('exchange');

/**
 * One request on its way through an SDK. The SDK builds the request; the sending and its outcome stay out of the SDK's
 * sight. An SDK wraps errors until they say nothing, takes an answer that was cut short for a complete one, and may stop
 * listening to a caller's signal.
 */
export class Exchange {
  private response: HttpResponse | undefined;
  private failure: Error | undefined;

  private constructor(
    private readonly http: HttpClient,
    private readonly signal: AbortSignal,
  ) {}

  /** The answer to the one request that `send` has an SDK send. */
  static async run(
    { http, error }: Pick<DriverContext, 'http' | 'error'>,
    signal: AbortSignal,
    send: (exchange: Exchange) => PromiseLike<unknown>,
  ): Promise<HttpResponse> {
    const exchange = new Exchange(http, signal);
    try {
      await send(exchange);
      return exchange.response!;
    } catch (cause) {
      throw exchange.failure ?? error('upstream', `the SDK failed: ${(cause as Error).message}`, { cause });
    }
  }

  /** For the `fetchOptions` of an SDK, which reach `exchangingFetch` as they are. */
  get fetchOptions(): object {
    return { [EXCHANGE]: this };
  }

  /** The `fetch` to give to an SDK for this request. */
  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    try {
      const response = await this.http.request(url, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(init.headers as Headers),
        signal: this.signal,
        body: typeof init.body === 'string' ? init.body : undefined,
      });
      // The HTTP layer finds the message in answers of every shape, and reads Retry-After.
      if (response.status < 200 || response.status > 299) throw await response.error();
      this.response = response;
      return EMPTY;
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  };
}

/** The `fetch` to give to an SDK whose client outlives a request. */
export const exchangingFetch: typeof fetch = (url, init) =>
  (init as { [EXCHANGE]: Exchange })[EXCHANGE].fetch(url as string, init);

/** As much of a response as an SDK looks at: the body is for the driver. */
const EMPTY = {
  ok: true,
  status: 200,
  url: '',
  headers: new Headers(),
  body: null,
  json: () => Promise.resolve({}),
} as unknown as Response;
