import type { HttpRequest } from '../contract/api';

/** An iterable body is sent piece by piece, and only once. */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface PoolRequest extends Omit<HttpRequest, 'body'> {
  body?: RequestBody;
}

export interface PlannedRequest extends PoolRequest {
  url: URL;
}
