import type { IncomingHttpHeaders } from 'node:http';
import type { RequestOrigin } from '../../../contract/api';
import { withBodies } from '../../../contract/carried';
import { type Fields, isFields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { WIRE_HEADERS } from './vendor-words';

/**
 * The request for a backend of the same wire: as the client sent it, less what this gateway packed. The backend could not
 * read that. Blocks that came to us by another way are put back for the one who made them.
 */
export function toOrigin(value: Fields, body: Buffer, headers: IncomingHttpHeaders, carriers: Carriers): RequestOrigin {
  const wire = WIRE_HEADERS.flatMap((name) => {
    const text = headers[name];
    return typeof text === 'string' ? [[name, text] as const] : [];
  });
  const origin: RequestOrigin = { api: 'messages', body: value, headers: Object.fromEntries(wire) };
  const { messages } = value;
  if (!carriers.isIn(body) || !Array.isArray(messages)) return origin;
  const bodyFor = (maker: string) => ({
    ...value,
    messages: messages.flatMap((message) => cleanMessage(message, maker, carriers)),
  });
  return withBodies(origin, bodyFor);
}

function cleanMessage(message: unknown, maker: string, carriers: Carriers): unknown[] {
  if (!isFields(message) || !Array.isArray(message.content)) return [message];
  const before = message.content as unknown[];
  const content = before.flatMap((block) => (isFields(block) ? cleanBlock(block, maker, carriers) : [block]));
  if (content.length === before.length && content.every((block, index) => block === before[index])) return [message];
  // The vendor refuses a turn without content.
  return content.length > 0 ? [{ ...message, content }] : [];
}

function cleanBlock(block: Fields, maker: string, carriers: Carriers): unknown[] {
  const { type, id, tool_use_id: resultOf, signature } = block;
  if (type === 'tool_use' && typeof id === 'string') return [renamed(block, 'id', carriers.plainId(id))];
  if (type === 'tool_result' && typeof resultOf === 'string') {
    return [renamed(block, 'tool_use_id', carriers.plainId(resultOf))];
  }
  const ours = type === 'thinking' && typeof signature === 'string' ? carriers.unpack(signature) : undefined;
  if (!ours) return [block];
  const own = ours.state.maker === maker ? ours.state.extra.thinking_blocks : undefined;
  return Array.isArray(own) ? (own as unknown[]) : [];
}

function renamed(block: Fields, field: string, id: string): Fields {
  return block[field] === id ? block : { ...block, [field]: id };
}
