import type { Message, Part } from '../contract/api';
import { defined } from '../fields';

/** The history for another vendor, whose backend does not know the signatures of this one. */
export function withoutSignatures(messages: readonly Message[]): Message[] {
  return messages.map(({ role, parts, name }) =>
    defined({ role, parts: parts.filter(({ type }) => type !== 'reasoning').map(withoutExtra), name }),
  );
}

function withoutExtra(part: Part): Part {
  if (!('extra' in part)) return part;
  const { extra: _, ...rest } = part;
  return rest;
}
