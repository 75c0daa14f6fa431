import type { IncomingMessage } from 'node:http';
import { readMessage } from '../../devices/mcp/read-message';
import { HttpError } from '../../serving/http-error';

const METHODS = ['GET', 'POST', 'DELETE'];
const STREAM = 'text/event-stream';
const ACCEPTED: Record<string, string[]> = { GET: [STREAM], POST: ['application/json', STREAM] };

/** Throws what is wrong with a request, which the SDK would say without what to do about it. */
export function checkRequest({ method = '', headers }: IncomingMessage): void {
  if (!METHODS.includes(method)) {
    const allow = METHODS.join(', ');
    const hint = 'is this the address of an MCP client? Its type is "http" (streamable HTTP)';
    throw new HttpError(405, 'method_not_allowed', `MCP knows ${allow}, not ${method}`, { hint, headers: { allow } });
  }
  const { accept = '' } = headers;
  const missing = ACCEPTED[method]?.filter((type) => !accept.includes(type)) ?? [];
  if (missing.length === 0) return;
  const hint = `send the header "accept: ${ACCEPTED[method]!.join(', ')}"`;
  throw new HttpError(406, 'invalid_request', `the header accept lacks ${missing.join(' and ')}`, { hint });
}

/** The message, or the messages, of a body; throws where one is none. */
export function messagesIn(body: unknown): unknown {
  if (!Array.isArray(body)) return messageIn(body, '');
  return body.map((each, index) => messageIn(each, `message ${index + 1}: `));
}

function messageIn(value: unknown, where: string): unknown {
  const read = readMessage(value);
  if ('message' in read) return read.message;
  const hint = 'the body is a message of JSON-RPC 2.0 as the MCP specification has it';
  throw new HttpError(400, 'invalid_request', `this is not an MCP message: ${where}${read.fault}`, { hint });
}
