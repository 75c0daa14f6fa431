import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from './dialect';

const EXPOSED = ['x-request-id', 'x-drivebay-provider', 'x-drivebay-ignored-params', 'x-drivebay-replayed'];

/** Lets web pages of the origins that `--allow-origin` names read answers. */
export class Cors {
  private readonly exposed: string;

  constructor(
    private readonly allowOrigins: readonly string[],
    dialects: readonly Dialect[],
  ) {
    this.exposed = [...new Set([...EXPOSED, ...dialects.flatMap(({ headers }) => headers.exposed)])].join(', ');
  }

  addHeaders(request: IncomingMessage, headers: Record<string, string>): void {
    const { origin } = request.headers;
    if (origin === undefined || !this.allowOrigins.includes(origin)) return;
    headers['access-control-allow-origin'] = origin;
    headers['access-control-expose-headers'] = this.exposed;
    headers.vary = 'Origin';
  }
}

/** Whether a browser asks before a cross-origin request. The access guard has refused foreign origins by then. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): void {
  const asked = request.headers['access-control-request-headers'];
  const isPrivate = request.headers['access-control-request-private-network'] === 'true';
  headers['access-control-allow-methods'] = 'GET, POST';
  headers['access-control-max-age'] = '600';
  // SDKs send headers of their own (x-stainless-*), so every header that is asked for is granted.
  if (asked !== undefined) headers['access-control-allow-headers'] = asked;
  if (isPrivate) headers['access-control-allow-private-network'] = 'true';
  response.writeHead(204, headers).end();
}
