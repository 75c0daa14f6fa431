import type { DriverFailure, HttpClient } from 'drivebay/plugin';

/**
 * A driver error on its way through an SDK, out of its sight: SDKs look for words like "timeout" in an error and its
 * causes, and then throw one of their own that has lost everything.
 */
class Carrier extends Error {
  override readonly name = 'Carrier';

  constructor(readonly failure: DriverFailure) {
    super('the request failed');
  }
}

/**
 * The `fetch` to give to an SDK. A bad status is an error here already, made by the HTTP layer, which finds the message
 * in answers of every shape, reads Retry-After and does not wait for an answer that never ends.
 */
export function carryingFetch(http: HttpClient): HttpClient['fetch'] {
  return async (input, init) => {
    const response = await http.fetch(input, init).catch((error: unknown) => {
      throw init?.signal?.aborted ? error : carry(error);
    });
    if (!response.ok) throw new Carrier(await response.error());
    return response;
  };
}

/** The driver error under what an SDK threw; undefined when the SDK failed by itself. */
export function carriedFailure(error: unknown): DriverFailure | undefined {
  for (let each = error, depth = 0; isError(each) && depth < 8; each = each.cause, depth += 1) {
    if (each instanceof Carrier) return each.failure;
    if (each.name === 'DriverError') return each as DriverFailure;
  }
  return undefined;
}

function carry(error: unknown): unknown {
  const failure = carriedFailure(error);
  return failure ? new Carrier(failure) : error;
}

function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'name' in value;
}
