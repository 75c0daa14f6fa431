import type { ServerResponse } from 'node:http';

/** On every answer. Nothing but the page's own files runs, is shown, or is asked for; nobody else may embed or read them. */
const HEADERS: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function setSafeHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendBytes(response, status, { 'content-type': 'application/json; charset=utf-8' }, Buffer.from(JSON.stringify(body)));
}

export function sendHtml(response: ServerResponse, status: number, html: string): void {
  sendBytes(response, status, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(html));
}

/** Node leaves the body out of an answer to HEAD. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  bytes: Buffer,
): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

export function redirect(response: ServerResponse, status: 303 | 308, location: string, cookie?: string): void {
  response.writeHead(status, { location, 'content-length': 0, ...(cookie !== undefined && { 'set-cookie': cookie }) });
  response.end();
}
