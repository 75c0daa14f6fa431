import { readMessage } from '../../devices/mcp/read-message';
import { HttpError } from '../../serving/http-error';

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
