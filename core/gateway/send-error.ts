import type { ServerResponse } from 'node:http';
import { sendJson } from '../serving/send';
import type { GatewayError } from './gateway-error';

export function sendError(response: ServerResponse, error: GatewayError, headers: Record<string, string> = {}): void {
  sendJson(response, error.status, error.toBody(), { ...headers, ...error.headers });
}
