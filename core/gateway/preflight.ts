import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether this is what a browser asks before a cross-origin request. The guard has refused foreign origins before. */
export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): void {
  const asked = request.headers['access-control-request-headers'];
  response.writeHead(204, {
    ...headers,
    'access-control-allow-methods': 'GET, POST',
    'access-control-max-age': '600',
    // SDKs send headers of their own (x-stainless-*), so what is asked for is granted.
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    ...(request.headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  });
  response.end();
}
