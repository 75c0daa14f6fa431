import { fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';

const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

/**
 * A last piece in the steps in which clients expect what it holds: the beginning, each item as it opens and closes, and the
 * piece itself. Undefined for every other piece, and where there is no item.
 */
export function toSteps(piece: Fields, hasBegun: boolean, announced: ReadonlySet<unknown>): Fields[] | undefined {
  if (!ENDS.has(piece.type)) return undefined;
  const response = fieldsOf(piece.response);
  const items = listOf(response.output).filter(isFields);
  if (items.length === 0) return undefined;
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const beginning = hasBegun ? [] : [{ type: 'response.created', response: begun }];
  return [...beginning, ...items.flatMap((item, index) => stepsOf(item, index, announced.has(index))), piece];
}

function stepsOf(item: Fields, index: number, isAnnounced: boolean): Fields[] {
  const place = { item_id: item.id, output_index: index };
  const parts = item.type === 'message' ? listOf(item.content).filter(isFields) : [];
  const open = { ...item, ...(item.type === 'message' && { content: [] }), status: 'in_progress' };
  return [
    ...(isAnnounced ? [] : [{ type: 'response.output_item.added', output_index: index, item: open }]),
    ...parts.flatMap((part, content_index) => partSteps({ ...place, content_index }, part)),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function partSteps(place: Fields, part: Fields): Fields[] {
  const text = part.type === 'output_text' ? textOf(part.text) : undefined;
  const said = { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] };
  return [
    { type: 'response.content_part.added', ...place, part: text === undefined ? part : { ...part, text: '' } },
    ...(text === undefined ? [] : [said]),
    { type: 'response.content_part.done', ...place, part },
  ];
}
