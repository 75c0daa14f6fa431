import type { HttpClient, HttpResponse } from 'drivebay/plugin';

const EXCHANGE = Symbol('exchange');

/**
 * One request on its way through the SDK. The SDK builds it; how it is sent and what came of it goes past the SDK, which
 * would wrap errors until they say nothing, and which stops listening to a caller's signal when the garbage collector
 * takes the body that it was given.
 */
export class Exchange {
  response: HttpResponse | undefined;
  failure: unknown;

  constructor(readonly signal: AbortSignal) {}

  /** For the SDK's `fetchOptions`, which reach `fetch` as they are. */
  toFetchOptions(): object {
    return { [EXCHANGE]: this };
  }
}

/** The `fetch` to give to the SDK. The answer's body is for the driver: the SDK is told that there is none. */
export function exchangingFetch(http: HttpClient): typeof fetch {
  return async (input, init) => {
    const exchange = (init as { [EXCHANGE]: Exchange })[EXCHANGE];
    try {
      const response = await http.request(input as string, {
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(init?.headers as Headers),
        signal: exchange.signal,
        ...(typeof init?.body === 'string' && { body: init.body }),
      });
      if (response.status < 200 || response.status >= 300) throw await response.error();
      exchange.response = response;
      return NOTHING;
    } catch (error) {
      exchange.failure = error;
      throw error;
    }
  };
}

/** As much of a response as the SDK looks at when its caller asked for the response itself. */
const NOTHING = { ok: true, status: 200, url: '', headers: new Headers(), body: null } as Response;
