import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../fields';

export interface NoMessage {
  fault: string;
  /** That of the request which waits for an answer; absent where nothing waits. */
  id?: RequestId;
}

/** As JSON-RPC has it: what was sent is no request. */
export const INVALID_REQUEST = -32_600;

/**
 * What the other side has sent, as the SDK takes it. The SDK passes over what is no message without a word, so that the other
 * side would wait for ever. `null` in the place of no parameters is common, and harmless.
 */
export function readMessage(value: unknown): { message: JSONRPCMessage } | NoMessage {
  if (!isFields(value) || value.jsonrpc !== '2.0') return { fault: 'expected an object with "jsonrpc": "2.0"' };
  const { params, ...rest } = value;
  const { id, method } = rest;
  if (id !== undefined && !isId(id)) return { fault: 'id: expected a text or a whole number' };
  if (method === undefined)
    return isAnswer(value) ? { message: value as JSONRPCMessage } : { fault: 'expected a method' };
  const waiting = id === undefined ? {} : { id };
  if (typeof method !== 'string') return { fault: 'method: expected a text', ...waiting };
  if (params === undefined || params === null) return { message: rest as JSONRPCMessage };
  if (!isFields(params)) return { fault: 'params: expected an object, or nothing', ...waiting };
  const { _meta: meta = {} } = params;
  if (isFields(meta) && (meta.progressToken === undefined || isId(meta.progressToken)))
    return { message: value as JSONRPCMessage };
  return { fault: 'params._meta: expected an object whose progressToken is a text or a whole number', ...waiting };
}

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value);

function isAnswer({ id, result, error }: Record<string, unknown>): boolean {
  if (result !== undefined) return id !== undefined && isFields(result);
  return isFields(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string';
}

/** The answer to a request that is none. */
export function refuseMessage(id: RequestId, fault: string): JSONRPCMessage {
  return {
    jsonrpc: '2.0',
    id,
    error: { code: INVALID_REQUEST, message: ['this is no request of MCP', fault].join(': ') },
  };
}
