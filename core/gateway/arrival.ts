import type { IncomingMessage, ServerResponse } from 'node:http';
import { OwnTime } from '../record/own-time';
import type { GatewayClient } from './clients/gateway-client';
import type { RequestHead } from './dialect';

export interface Arrival {
  id: string;
  request: IncomingMessage;
  response: ServerResponse;
  /** Without the query. */
  path: string;
  /** The headers that every answer to it has. */
  headers: Record<string, string>;
  /** Who asks, once that is known. Undefined for the owner of the gateway, and where no client is configured. */
  client?: GatewayClient;
  /** On the clock of `performance`. */
  startedMs: number;
  own: OwnTime;
}

export function arrive(id: string, request: IncomingMessage, response: ServerResponse): Arrival {
  const startedMs = performance.now();
  useOriginForm(request);
  const own = new OwnTime(startedMs);
  return { id, request, response, path: pathOf(request), headers: { 'x-request-id': id }, startedMs, own };
}

/**
 * A target may be a whole URL, as to a proxy (`GET http://...`). Its authority then stands for the Host. Some programs send
 * the fragment, too, which means nothing to a server: others leave it out as well. Nothing else is another spelling of a path.
 */
export function useOriginForm(request: RequestHead): void {
  const { url = '/' } = request;
  if (url.startsWith('/') || !URL.canParse(url)) {
    const fragment = url.indexOf('#');
    if (fragment >= 0) request.url = url.slice(0, fragment);
    return;
  }
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = pathname + search;
}

/** Without the query. */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
