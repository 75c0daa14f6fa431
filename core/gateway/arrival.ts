import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Arrival {
  id: string;
  request: IncomingMessage;
  response: ServerResponse;
  /** Without the query. */
  path: string;
  /** The headers that every answer to it has. */
  headers: Record<string, string>;
  /** On the clock of `performance`. */
  startedMs: number;
}

export function arrive(id: string, request: IncomingMessage, response: ServerResponse): Arrival {
  const startedMs = performance.now();
  useOriginForm(request);
  return { id, request, response, path: pathOf(request), headers: { 'x-request-id': id }, startedMs };
}

/** A target may be a whole URL, as to a proxy (`GET http://...`). Its authority then stands for the Host. */
function useOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/') || !URL.canParse(url)) return;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = pathname + search;
}

/** Without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
