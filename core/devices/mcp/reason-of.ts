import { messageOf } from '../../errors';

const TIMED_OUT = -32_001;
const CLOSED = -32_000;
/** The SDK puts it before every message of the other side. */
const PREFIX = /^(?:MCP error -?\d+: |Streamable HTTP error: |SSE error: |Error POSTing to endpoint: )+/;

/** Why the other side of a connection did not do what it was asked, without words of the SDK. */
export function reasonOf(error: unknown): string {
  const text = messageOf(error).replace(PREFIX, '');
  const { code } = error as { code?: unknown };
  if (code === TIMED_OUT && text.startsWith('Request timed out')) return 'it timed out: there is no answer yet';
  if (code === CLOSED && text.startsWith('Connection closed')) return 'the connection was closed';
  return text;
}
