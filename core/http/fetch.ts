import type { FetchResponse as FetchResponseType } from '../contract/api';
import { codeOf } from '../errors';
import { FetchResponse } from './fetch-response';
import type { PoolRequest, RequestBody } from './http-pool';
import type { Response } from './response';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<FetchResponseType>;

interface Pool {
  request(url: URL, request: PoolRequest): Promise<Response>;
}

/** What may be sent again, and needs no help from the platform. */
type PlainBody = string | Uint8Array;

/**
 * `fetch` on a pool, for SDKs that take one. The platform's own costs six times as much per request as the pool, and
 * more than everything that an SDK does itself.
 */
export function makeFetch(pool: Pool): Fetch {
  return async (input, init = {}) => {
    const isRequest = typeof input === 'object' && 'method' in input;
    const from = isRequest ? { ...partsOf(input), ...init } : init;
    const url = new URL(isRequest ? input.url : input);
    const { signal } = from;
    const request = toRequest(from, signal ?? new AbortController().signal);
    try {
      return new FetchResponse(url, await pool.request(url, request));
    } catch (error) {
      throw toFetchError(error, signal);
    }
  };
}

function partsOf({ method, headers, body, signal }: Request): RequestInit {
  return { method, headers, body, signal };
}

function toRequest({ method, headers, body }: RequestInit, signal: AbortSignal): PoolRequest {
  const request: PoolRequest = { signal, headers: toHeaders(headers) };
  if (method) request.method = method.toUpperCase();
  if (body === undefined || body === null) return request;
  const plain = toPlainBody(body);
  // The platform knows how each of its own kinds of body is sent, and as which type.
  const platform = plain === undefined ? new globalThis.Response(body) : undefined;
  request.body = plain ?? (platform!.body as RequestBody);
  const type = platform ? platform.headers.get('content-type') : typeof body === 'string' ? TEXT : null;
  if (type !== null) request.headers!['content-type'] ??= type;
  return request;
}

const TEXT = 'text/plain;charset=UTF-8';

function toPlainBody(body: NonNullable<RequestInit['body']>): PlainBody | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
    ? new Uint8Array(body as ArrayBuffer)
    : undefined;
}

/** Names in lower case, so that what is set twice under two spellings is sent once. */
function toHeaders(headers: RequestInit['headers'] = {}): Record<string, string> {
  const flat: Record<string, string> = {};
  const entries = Symbol.iterator in headers ? (headers as Iterable<string[]>) : Object.entries(headers);
  for (const [name, value] of entries) {
    if (name !== undefined && value !== undefined) flat[name.toLowerCase()] = String(value);
  }
  return flat;
}

/**
 * As the standard has it: the signal's reason after a cancellation, else a TypeError around the driver error. SDKs know
 * both, and keep the error as the cause of their own.
 */
function toFetchError(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return codeOf(error) === undefined ? error : new TypeError('fetch failed', { cause: error });
}
