import type { IncomingMessage } from 'node:http';

/** A target may be a whole URL (`GET http://...`, as to a proxy): its authority then stands for the Host. */
export function useOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/') || !URL.canParse(url)) return;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = pathname + search;
}

/** Without the query. */
export function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
