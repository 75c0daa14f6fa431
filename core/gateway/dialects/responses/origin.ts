import type { IncomingHttpHeaders } from 'node:http';
import type { Fields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { readSummary } from './compaction';
import type { RequestFields } from './request-fields';

/** The headers that belong to the wire: the names of features that a client wants to try. */
const FEATURES = /^[a-z]+-beta$/;

export function wireHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => FEATURES.test(name) && typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * The request for a backend of the same wire: as the client sent it, less what concerns this gateway alone. The backend
 * could not read what we packed, and knows no response that is kept here.
 */
export function toOriginBody(
  fields: RequestFields,
  items: readonly Fields[],
  isFromStore: boolean,
  carriers: Carriers,
): Fields {
  const { client_metadata: _ids, ...body } = fields;
  const isOurs = items.some((item) => holdsOurs(item, carriers));
  if (isFromStore) delete body.previous_response_id;
  if (isFromStore || isOurs) {
    return { ...body, input: isOurs ? items.flatMap((item) => withoutOurs(item, carriers)) : items };
  }
  return body;
}

function holdsOurs({ encrypted_content: encrypted, call_id: id }: Fields, carriers: Carriers): boolean {
  if (typeof id === 'string') return carriers.plainId(id) !== id;
  if (typeof encrypted !== 'string') return false;
  return readSummary(encrypted) !== undefined || carriers.unpack(encrypted) !== undefined;
}

function withoutOurs(item: Fields, carriers: Carriers): Fields[] {
  if (!holdsOurs(item, carriers)) return [item];
  const { type, encrypted_content: encrypted, call_id: id } = item;
  if (typeof id === 'string') return [{ ...item, call_id: carriers.plainId(id) }];
  const summary = type === 'compaction' ? readSummary(encrypted) : undefined;
  return summary === undefined ? [] : [{ type: 'message', role: 'user', content: summary }];
}
