import { createHash } from 'node:crypto';
import type { ProviderEntry } from '../config/load';
import { valueOf } from '../config/located';

/** What says whose limits an entry has. Another key is another account. */
const IDENTITY = ['driver', 'command', 'base_url', 'api_key_env'];

/** Tells providers of one name apart. Projects with the same provider share its rests, and what is used of its limits. */
export function accountOf({ fields }: Pick<ProviderEntry, 'fields'>): string {
  const identity = IDENTITY.map((option) => {
    const field = fields.entries.get(option);
    return field ? valueOf(field) : null;
  });
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
}
