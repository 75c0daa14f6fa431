import type { Fields } from '../../../fields';
import { invalidRequest } from '../../read-fields';
import type { StoredResponse } from './response-store';

interface Page {
  after?: unknown;
  limit?: unknown;
  order?: unknown;
}

const USUAL = 20;
const MOST = 100;

/** A page of the items that a stored response was made from, the conversation before them included. The last ones come first. */
export function inputList({ items, text }: StoredResponse, { after, limit = String(USUAL), order = 'desc' }: Page) {
  if (order !== 'asc' && order !== 'desc') throw invalidRequest('order: expected asc or desc', 'order');
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > MOST) {
    throw invalidRequest(`limit: expected a whole number from 1 to ${MOST}`, 'limit');
  }
  const { output } = JSON.parse(text) as { output: unknown[] };
  const all = items.slice(0, items.length - output.length).map(toListed);
  if (order === 'desc') all.reverse();
  const before = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && before < 0) throw invalidRequest('after: no item of this response has this id', 'after');
  const rest = all.slice(before + 1);
  const data = rest.slice(0, count);
  const [first, last] = [data.at(0)?.id ?? null, data.at(-1)?.id ?? null];
  return { object: 'list', data, first_id: first, last_id: last, has_more: rest.length > data.length };
}

/** Clients may leave the id and the type of an item out, and send a text in place of its parts. */
function toListed(item: Fields, index: number): Fields & { id: unknown } {
  const { type = 'message', role, content, id = `item_${index}` } = item;
  if (typeof content !== 'string') return { ...item, type, id };
  const part =
    role === 'assistant'
      ? { type: 'output_text', text: content, annotations: [] }
      : { type: 'input_text', text: content };
  return { ...item, type, id, content: [part] };
}
