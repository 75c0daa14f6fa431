import type { Fields } from '../../../fields';
import { invalidRequest } from '../../read-fields';
import type { OwnResponses } from './response-store';

/** The items that a client sends, with those in place that it only names: SDKs name what an answer of before has brought. */
export class StoredItems {
  readonly all: Fields[];
  /** How long the items are that were named. 0: none was. */
  bytes = 0;

  constructor(sent: readonly Fields[], store: OwnResponses) {
    const named = sent.filter(isReference).map(({ id }) => id);
    const kept = named.length > 0 ? store.items(new Set(named)) : undefined;
    this.all = sent.map((item, index) => (isReference(item) ? this.take(item.id, kept, `input[${index}]`) : item));
  }

  private take(id: unknown, kept: ReadonlyMap<unknown, Fields> | undefined, path: string): Fields {
    if (typeof id !== 'string') throw invalidRequest(`${path}.id: must be a text`, `${path}.id`);
    const item = kept?.get(id);
    if (!item) {
      const message = `there is no stored item "${id}": items are kept for an hour, unless store is false; send the item itself`;
      throw invalidRequest(`${path}: ${message}`, path);
    }
    this.bytes += JSON.stringify(item).length;
    return item;
  }
}

function isReference({ type, role, id }: Fields): boolean {
  return type === 'item_reference' || (type == null && role === undefined && id !== undefined);
}
