import { messageOf } from '../../errors';
import { isFields } from '../../fields';

const TIMED_OUT = -32_001;
const CLOSED = -32_000;
/** The SDK puts it before every message of the other side. */
const PREFIX = /^(?:MCP error -?\d+: |Streamable HTTP error: |SSE error: |Error POSTing to endpoint: )+/;

const LIMIT = /^(?:Request timed out|Maximum total timeout exceeded)/;

/** Why the other side of a connection did not do what it was asked, without words of the SDK. */
export function reasonOf(error: unknown): string {
  const text = messageOf(error).replace(PREFIX, '');
  const { code, data } = error as { code?: unknown; data?: unknown };
  if (code === TIMED_OUT && LIMIT.test(text) && isFields(data)) {
    const limitMs = Number(data.maxTotalTimeout ?? data.timeout);
    return `it timed out: there is no answer after ${Math.round(limitMs / 100) / 10} s`;
  }
  if (code === CLOSED && text.startsWith('Connection closed')) return 'the connection was closed';
  return text;
}
