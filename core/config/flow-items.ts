import type { YAMLSeq } from 'yaml';

/** Adds an item to a list in flow style, behind the comments of the last one. */
export function addItem(text: string, list: YAMLSeq, item: string): string {
  const close = spanOf(list).end - 1;
  if (list.items.length === 0) return insert(text, close, item);
  const { start, end } = spanOf(list.items.at(-1));
  const rest = text.slice(end, close);
  if (!rest.includes('#')) return insert(text, end, `, ${item}`);
  const indent = /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start) + 1))![0] || '  ';
  const added = insert(text, end + rest.trimEnd().length, `\n${indent}${item}`);
  return /^\s*,/.test(rest) ? added : insert(added, end, ',');
}

/** Removes an item of a list in flow style with one comma. */
export function removeItem(
  text: string,
  items: readonly { range?: readonly number[] | null }[],
  index: number,
): string {
  const [before, item, after] = [index - 1, index, index + 1].map((each) => items[each] && spanOf(items[each]));
  if (after) {
    // A comment on the line of the item goes with it. Those on the next lines belong to the next item.
    const [, comments = ''] = /^[^\n]*\n((?:[^]*#[^]*)?)$/.exec(text.slice(item!.end, after.start)) ?? [];
    return text.slice(0, item!.start) + comments.trimStart() + text.slice(after.start);
  }
  const between = before ? text.slice(before.end, item!.start) : '';
  const kept = between.includes('#') ? between.replace(',', '').trimEnd() + '\n' : '';
  return (
    text.slice(0, before?.end ?? item!.start) +
    kept +
    text.slice(item!.end).replace(kept === '' ? '' : /^[ \t]*(?:#.*)?\n/, '')
  );
}

/** From the first character of a node to behind its last one, without the comments behind it. */
export function spanOf(node: unknown): { start: number; end: number } {
  const [start = 0, end = 0] = (node as { range?: number[] }).range ?? [];
  return { start, end };
}

export function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
