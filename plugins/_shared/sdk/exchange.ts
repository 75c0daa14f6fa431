import type { Call, DriverContext, HttpResponse } from 'drivebay/plugin';
import { countOf, fieldsOf, type Fields } from '../fields';

const FETCH = Symbol('fetch');

/**
 * The answer to the one request that `send` has an SDK send. The SDK builds the request; the sending and its outcome stay
 * out of the SDK's sight. An SDK wraps errors until they say nothing, takes an answer that was cut short for a complete
 * one, and may stop listening to a caller's signal. `send` gets the `fetch` to give to an SDK for this request.
 */
export async function exchange(
  { http, error }: Pick<DriverContext, 'http' | 'error'>,
  call: Call,
  send: (fetchOnce: typeof fetch) => PromiseLike<unknown>,
): Promise<HttpResponse> {
  let response: HttpResponse | undefined;
  let failure: Error | undefined;
  const fetchOnce = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    try {
      const answer = await http.request(url as string, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(init.headers as Headers),
        call,
        body: typeof init.body === 'string' ? init.body : undefined,
      });
      // The HTTP layer finds the message in answers of every shape, and reads Retry-After.
      if (answer.status < 200 || answer.status > 299) throw await answer.error();
      response = answer;
      return EMPTY;
    } catch (cause) {
      failure = cause as Error;
      throw cause;
    }
  };
  try {
    await send(fetchOnce);
    return response!;
  } catch (cause) {
    throw failure ?? error('upstream', `the SDK failed: ${(cause as Error).message}`, { cause });
  }
}

/** The `fetch` to give to an SDK whose client outlives a request. */
export const exchangingFetch: typeof fetch = (url, init) => (init as { [FETCH]: typeof fetch })[FETCH](url, init);

/** A client of the two SDKs that have one generator. */
interface GeneratedClient {
  post(path: string, options: object): { asResponse(): PromiseLike<unknown> };
}

/** Has such a client send a body as it is: its methods for single endpoints make something else of some fields. */
export function postBody(
  context: Pick<DriverContext, 'http' | 'error'>,
  client: GeneratedClient,
  { path, ...sent }: { path: string; body: Fields; headers?: Record<string, string | null> },
  call: Call,
): Promise<HttpResponse> {
  // The options of a fetch reach `exchangingFetch` as they are.
  return exchange(context, call, (fetchOnce) =>
    client.post(path, { ...sent, fetchOptions: { [FETCH]: fetchOnce } }).asResponse(),
  );
}

/** The answer to a request that has the vendor count. */
export async function countIn(response: HttpResponse, { error }: Pick<DriverContext, 'error'>): Promise<number> {
  const count = countOf(fieldsOf(await response.json()).input_tokens);
  if (count !== undefined) return count;
  throw error('protocol', 'the answer has no input_tokens');
}

/** As much of a response as an SDK looks at: the body is for the driver. */
const EMPTY = {
  ok: true,
  status: 200,
  url: '',
  headers: new Headers(),
  body: null,
  json: () => Promise.resolve({}),
} as unknown as Response;
