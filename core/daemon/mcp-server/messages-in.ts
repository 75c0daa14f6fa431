import { readMessage } from '../../devices/mcp/read-message';
import { HttpError } from '../../serving/http-error';

/** The MCP message or messages of a body. Throws if one of them is not valid. */
export function messagesIn(body: unknown): unknown {
  if (!Array.isArray(body)) return messageIn(body, '');
  return body.map((each, index) => messageIn(each, `message ${index + 1}: `));
}

function messageIn(value: unknown, where: string): unknown {
  const read = readMessage(value);
  if ('message' in read) return read.message;
  const hint = 'send a JSON-RPC 2.0 message as the MCP specification defines it';
  throw new HttpError(400, 'invalid_request', `this is not an MCP message: ${where}${read.fault}`, { hint });
}
