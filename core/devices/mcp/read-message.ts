import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { type Fields, isFields } from '../../fields';

interface NoMessage {
  fault: string;
  /** That of the request which waits for an answer; absent where nothing waits. */
  id?: RequestId;
}

/** As JSON-RPC has it: what was sent is no request. */
export const INVALID_REQUEST = -32_600;

/** The messages in one line: in the version of March 2025 there may be several. */
export function inBatch(value: unknown): unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : [value];
}

/**
 * Makes a message that the SDK takes of what the other side has sent. The SDK silently drops everything that is no message, and a
 * message with a field that it does not know, so the other side would wait for ever. `null` in place of an absent field is
 * common, and harmless.
 */
export function readMessage(value: unknown): { message: JSONRPCMessage } | NoMessage {
  if (!isFields(value) || value.jsonrpc !== '2.0') return { fault: 'expected an object with "jsonrpc": "2.0"' };
  const { id, method, params, result, error } = value;
  if (id !== undefined && !isId(id)) return { fault: 'id: expected a text or a whole number' };
  const head = id === undefined ? { jsonrpc: '2.0' as const } : { jsonrpc: '2.0' as const, id };
  if (method === undefined) {
    if (id === undefined || (result === undefined && error === undefined)) return { fault: 'expected a method' };
    return { message: { ...head, id, ...readAnswer(result, error) } };
  }
  const waiting = id === undefined ? {} : { id };
  if (typeof method !== 'string') return { fault: 'method: expected a text', ...waiting };
  if (params === undefined || params === null) return { message: { ...head, method } };
  if (!isFields(params)) return { fault: 'params: expected an object, or nothing', ...waiting };
  if (isMeta(params._meta)) return { message: { ...head, method, params } };
  return { fault: 'params._meta: expected an object whose progressToken is a text or a whole number', ...waiting };
}

export const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value);

const isMeta = (meta: unknown = {}): boolean =>
  isFields(meta) && (meta.progressToken === undefined || isId(meta.progressToken));

/** An answer of no known form is a failure: a request waits for it. */
function readAnswer(result: unknown, error: unknown): { result: Fields } | { error: Failure } {
  if (isFields(result) && !error) {
    if (isMeta(result._meta)) return { result };
    const { _meta: _, ...rest } = result;
    return { result: rest };
  }
  const { code, message, data } = isFields(error) ? error : { message: error };
  return {
    error: {
      code: Number.isSafeInteger(code) ? (code as number) : INVALID_REQUEST,
      message: typeof message === 'string' ? message : 'the answer has neither a result nor an error that MCP knows',
      ...(data !== undefined && { data }),
    },
  };
}

type Failure = { code: number; message: string; data?: unknown };

/** Our answer to something that is no valid request. */
export function refuseMessage(id: RequestId, fault: string): JSONRPCMessage {
  return {
    jsonrpc: '2.0',
    id,
    error: { code: INVALID_REQUEST, message: ['this is not an MCP request', fault].join(': ') },
  };
}
