import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Node, type Pair, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { addItem, insert, removeItem, spanOf } from './flow-items';
import { yamlValue } from './parse-yaml';

// Edits a providers.yaml or .json as a person would: only the lines of the change differ. Each function takes the text of a
// file without mistakes, and returns the new one.

type Entry = Record<string, unknown>;

type List = 'providers' | 'routes' | 'clients';

/** Adds an entry behind the others. */
export function addEntry(text: string, entry: Entry, list: List = 'providers'): string {
  const root = rootOf(text);
  if (!root) return `${onLines(text)}version: "1"\n${list}:\n${block(entry, '  ')}`;
  const pair = pairOf(root, list);
  const indent = indentOf(text, root);
  if (!pair) {
    const lines = `${indent}${list}:\n${block(entry, `${indent}  `)}`;
    return addPair(text, root, root.flow ? `"${list}": [${JSON.stringify(entry)}]` : lines);
  }
  const { value } = pair;
  if (!isSeq(value) || (value.items.length === 0 && !root.flow)) {
    // `providers:` without a value, or `[]`.
    const { end } = spanOf(pair.key);
    const colon = text.indexOf(':', end) + 1;
    const rest = text.slice(isSeq(value) ? spanOf(value).end : colon).replace(/^[ \t]*/, '');
    const comment = /^(?:#.*)?(?:\n|$)/.exec(rest)?.[0] ?? '';
    return `${text.slice(0, colon)}${comment.trim() && ` ${comment.trim()}`}\n${block(entry, `${indent}  `)}${rest.slice(comment.length)}`;
  }
  if (value.flow) return addItem(text, value, JSON.stringify(entry));
  const lines = linesOf(text, value, value.items.length - 1);
  const gap = text.slice(0, lines.start).endsWith('\n\n') ? '\n' : '';
  return `${onLines(text.slice(0, lines.end))}${gap}${block(entry, lines.indent)}${text.slice(lines.end)}`;
}

/** Removes an entry, and the comments that belong to it: those right above it, and those below that are indented deeper. */
export function removeEntry(text: string, name: string, from: List = 'providers'): string {
  const list = pairOf(rootOf(text)!, from)!.value as YAMLSeq;
  const index = list.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (index === -1) throw new Error(`the entry of "${name}" is an alias of another one: edit the file`);
  if (list.flow) return removeItem(text, list.items as Node[], index);
  const { start, end } = linesOf(text, list, index);
  if (list.items.length === 1) return emptyList(text, pairOf(rootOf(text)!, from)!.key, start, end);
  const before = text.slice(0, start);
  const after = text.slice(end);
  // One empty line is enough where two come together.
  return before + (/\n[ \t]*\n$/.test(before) || index === 0 ? after.replace(/^(?:[ \t]*\n)+/, '') : after);
}

/** A list says that it is empty. A key without a value looks like a mistake. */
function emptyList(text: string, key: unknown, start: number, end: number): string {
  const colon = text.indexOf(':', spanOf(key).end) + 1;
  return `${text.slice(0, colon)} []${text.slice(colon, start)}${text.slice(end)}`;
}

/** Gives a client another key. */
export function replaceKey(text: string, name: string, digest: string): string {
  const list = pairOf(rootOf(text)!, 'clients')!.value as YAMLSeq;
  const entry = list.items.find((item): item is YAMLMap => isMap(item) && item.get('name') === name);
  const pair = entry && (pairOf(entry, 'key_sha256') ?? pairOf(entry, 'api_key_env'));
  if (!pair) throw new Error(`the entry of "${name}" is an alias of another one: edit the file`);
  const { start } = spanOf(pair.key);
  const { end } = spanOf(pair.value);
  const isQuoted = text[start] === '"';
  const line = isQuoted ? `"key_sha256": "${digest}"` : `key_sha256: "${digest}"`;
  return text.slice(0, start) + line + text.slice(end);
}

/** Sets `default_provider`, or removes it. */
export function setDefault(text: string, name: string | undefined): string {
  const root = rootOf(text)!;
  const pair = pairOf(root, 'default_provider');
  if (!pair) return name === undefined ? text : addPair(text, root, indentOf(text, root) + defaultLine(root, name));
  const { start } = spanOf(pair.key);
  const { end } = spanOf(pair.value ?? pair.key);
  if (name !== undefined) {
    const line = root.flow ? defaultLine(root, name) : defaultLine(root, name).trimEnd();
    const isEmpty = !pair.value || spanOf(pair.value).start === end;
    return text.slice(0, start) + line + text.slice(isEmpty ? text.indexOf(':', spanOf(pair.key).end) + 1 : end);
  }
  if (!root.flow) return text.slice(0, start - indentOf(text, root).length) + text.slice(lineEnd(text, end));
  const pairs = root.items.map(({ key, value }) => ({ range: [spanOf(key).start, spanOf(value ?? key).end] }));
  return removeItem(text, pairs, root.items.indexOf(pair));
}

/** Whether both texts say the same, but for the entry of this name and the default. Of an unusual layout an edit may take more. */
export function keepsOthers(before: string, after: string, name: string): boolean {
  const [old, edited] = [before, after].map((text) => {
    const {
      version: _version,
      default_provider: _default,
      providers,
      routes,
      clients,
      ...rest
    } = (parse(text, { schema: 'core' }) ?? {}) as Entry;
    const others = [providers, routes, clients].map((list) =>
      ((list ?? []) as Entry[]).filter((entry) => entry.name !== name),
    );
    return { ...rest, others };
  });
  return isDeepStrictEqual(old, edited);
}

function rootOf(text: string): YAMLMap | undefined {
  const { contents } = parseDocument(text, { schema: 'core' });
  return isMap(contents) ? contents : undefined;
}

function pairOf(root: YAMLMap, name: string): Pair | undefined {
  return root.items.find(({ key }) => isScalar(key) && key.value === name);
}

const defaultLine = ({ flow }: YAMLMap, name: string) =>
  flow ? `"default_provider": ${JSON.stringify(name)}` : `default_provider: ${yamlValue(name)}\n`;

/** What stands before each key of a map in block style. */
function indentOf(text: string, root: YAMLMap): string {
  if (root.flow) return '';
  const { start } = spanOf(root.items[0]?.key ?? root);
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

/** Adds a pair behind `version`, or at the beginning. */
function addPair(text: string, root: YAMLMap, line: string): string {
  if (root.flow) return insert(text, spanOf(root).start + 1, `${line}${root.items.length > 0 ? ', ' : ''}`);
  const version = pairOf(root, 'version');
  if (!line.trimStart().startsWith('default_provider:')) return onLines(text) + line;
  const first = spanOf(root.items[0]?.key ?? root).start - indentOf(text, root).length;
  const at = version ? lineEnd(text, spanOf(version.value).end) : first;
  return insert(onLines(text), at, line);
}

/** An entry of a list, one option on each line. */
function block(entry: Entry, indent: string): string {
  const lines = Object.entries(entry).map(([name, value]) => `${name}: ${yamlValue(value)}\n`);
  return lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}`).join('');
}

/** The lines of an item of a list in block style, with its comments. */
function linesOf(text: string, list: YAMLSeq, index: number): { start: number; end: number; indent: string } {
  const first = spanOf(list).start;
  const indent = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  const item = spanOf(list.items[index]);
  const dash = text.lastIndexOf(`\n${indent}-`, item.start) + 1;
  // A deeper comment right below an item belongs to that item.
  const before = index === 0 ? 0 : linesOf(text, list, index - 1).end;
  const above = new RegExp(`(?:^|\n)((?:${indent}[ \t]*#.*\n)+)$`).exec(text.slice(before, dash))?.[1] ?? '';
  const below = new RegExp(`^(?:${indent}[ \t]+#.*(?:\n|$))*`).exec(text.slice(lineEnd(text, item.end)))![0];
  return { start: dash - above.length, end: lineEnd(text, item.end) + below.length, indent };
}

/** Behind the line break of the line that an offset ends. */
function lineEnd(text: string, offset: number): number {
  const at = text.slice(0, offset).trimEnd().length;
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

/** The text with a line break at its end. */
function onLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
