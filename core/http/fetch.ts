import type { HttpClient } from '../contract/api';
import { codeOf } from '../errors';
import { FetchAnswer } from './fetch-answer';
import type { HttpAnswer } from './http-answer';
import type { PoolRequest, RequestBody } from './pool-request';

interface Pool {
  request(url: URL, request: PoolRequest): Promise<HttpAnswer>;
}

/**
 * `fetch` on a pool, for SDKs that take one. The platform's own costs six times as much per request as the pool, and
 * more than everything that an SDK does itself.
 */
export function makeFetch(pool: Pool): HttpClient['fetch'] {
  return async (input, init = {}) => {
    const isRequest = typeof input === 'object' && 'method' in input;
    const from = isRequest ? { ...partsOf(input), ...init } : init;
    const url = new URL(isRequest ? input.url : input);
    const { signal } = from;
    const request = toRequest(from, signal ?? new AbortController().signal);
    try {
      return new FetchAnswer(url, await pool.request(url, request));
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
  // The platform knows how to send each other kind of body, and which type it has.
  const platform = plain === undefined ? new Response(body) : undefined;
  request.body = plain ?? (platform!.body as RequestBody);
  const type = platform ? platform.headers.get('content-type') : typeof body === 'string' ? TEXT : null;
  if (type !== null) request.headers!['content-type'] ??= type;
  return request;
}

const TEXT = 'text/plain;charset=UTF-8';

function toPlainBody(body: NonNullable<RequestInit['body']>): string | Uint8Array | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
    ? new Uint8Array(body as ArrayBuffer)
    : undefined;
}

/** Names in lower case, so that a header that is set under two spellings is sent once. */
function toHeaders(headers: RequestInit['headers'] = {}): Record<string, string> {
  const flat: Record<string, string> = {};
  const entries = Symbol.iterator in headers ? (headers as Iterable<string[]>) : Object.entries(headers);
  for (const [name, value] of entries) {
    if (name !== undefined && value !== undefined) flat[name.toLowerCase()] = String(value);
  }
  return flat;
}

/**
 * As in the standard: the signal's reason after a cancellation, else a TypeError around the driver error. SDKs know both,
 * and keep the error as the cause of their own.
 */
function toFetchError(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return codeOf(error) === undefined ? error : new TypeError('fetch failed', { cause: error });
}
