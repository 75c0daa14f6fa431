import type { ServerResponse } from 'node:http';
import type { GatewayError } from './gateway-error';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** The same for a body that is a JSON text already. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function sendError(response: ServerResponse, error: GatewayError, headers: Record<string, string> = {}): void {
  sendJson(response, error.status, error.toBody(), { ...headers, ...error.headers });
}
