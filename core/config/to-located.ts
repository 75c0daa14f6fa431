import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Position, Problem } from '../errors';
import { isPresentable, quote } from './describe-found';
import type { Located, LocatedScalar } from './located';

/** No configuration needs more. The limit protects recursive code. */
export const MAXIMUM_DEPTH = 100;

/** The limit for the nodes with all aliases expanded. */
const MAXIMUM_NODES = 100_000;

/** A converted node, and its size with aliases expanded. */
interface Finished {
  located: Located;
  size: number;
  height: number;
}

/** Converts the nodes of a YAML document. Aliases share their target, so a YAML bomb stays small. */
export function toLocated(
  contents: Node | null,
  at: (offset: number) => Position,
): { root?: Located; problems: Problem[] } {
  const problems: Problem[] = [];
  const anchors = new Map<string, Finished | 'unfinished'>();
  const start = at(0);
  let merged = 0;

  function convert(node: Node | null, depth: number, keyPlace: Position | undefined): Finished {
    const place = placeOf(node, keyPlace);
    if (depth > MAXIMUM_DEPTH) return { ...emptyAt(place), height: 1 };
    if (!node) return emptyAt(place);
    if (isAlias(node)) return follow(node, place);
    const anchor = 'anchor' in node && typeof node.anchor === 'string' ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'unfinished');
    const finished = convertPlain(node, depth, place);
    if (anchor !== undefined) anchors.set(anchor, finished);
    return finished;
  }

  function convertPlain(node: Node, depth: number, place: Position): Finished {
    if (isMap(node)) return convertMap(node, depth, place);
    if (isSeq(node)) return convertList(node, depth, place);
    return { located: { kind: 'scalar', place, value: scalarOf(node as Scalar) }, size: 1, height: 0 };
  }

  function convertMap(map: YAMLMap, depth: number, place: Position): Finished {
    const entries = new Map<string, Located>();
    const total = { size: 1, height: 0 };
    let below: Located | undefined;
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const keyPlace = placeOf(key as Node | null, place);
      const child = convert(value as Node | null, depth + 1, keyPlace);
      grow(total, child);
      // A plain `<<` is the merge key of YAML 1.1. Version 1.2 has none, but people still use it.
      const isMerge = isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
      const first = isMerge ? below : entries.get(name);
      if (isMerge && !first) below = { ...child.located, keyPlace };
      else if (!first) entries.set(name, { ...child.located, keyPlace });
      else problems.push(explainDuplicate(name, keyPlace, first.keyPlace));
    }
    if (below) merge(entries, below);
    return { located: { kind: 'map', place, entries }, ...total };
  }

  /** Adds the keys of merged maps that the map does not set. Counts at once, because repeated merges could fill the memory. */
  function merge(entries: Map<string, Located>, below: Located): void {
    for (const source of below.kind === 'list' ? below.items : [below]) {
      if (source.kind !== 'map') {
        const message = 'found another value behind a merge key (<<), expected a map (*...) or a list of them';
        return void problems.push({ message, place: below.place });
      }
      if (merged > MAXIMUM_NODES) return;
      merged += source.entries.size;
      for (const [key, value] of source.entries) if (!entries.has(key)) entries.set(key, value);
    }
  }

  function convertList(list: YAMLSeq, depth: number, place: Position): Finished {
    const total = { size: 1, height: 0 };
    const items = list.items.map((item) => {
      const child = convert(item as Node | null, depth + 1, undefined);
      grow(total, child);
      return child.located;
    });
    return { located: { kind: 'list', place, items }, ...total };
  }

  function follow(alias: Alias, place: Position): Finished {
    const target = anchors.get(alias.source);
    if (target && target !== 'unfinished') return { ...target, located: { ...target.located, place } };
    const message = target
      ? 'found an alias inside of its own anchor'
      : 'found an alias (*...) without an anchor before it';
    problems.push({ message, place });
    return emptyAt(place);
  }

  function placeOf(node: Node | null, keyPlace: Position | undefined): Position {
    // An empty value has no place of its own, so the message names the place of the key.
    const isEmpty = !node || (isScalar(node) && node.type === 'PLAIN' && node.source === '');
    if (isEmpty && keyPlace) return keyPlace;
    return node?.range ? at(node.range[0]) : start;
  }

  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return { root: { kind: 'map', place: start, entries: new Map() }, problems };
  }
  const { located, size, height } = convert(contents, 0, undefined);
  if (height > MAXIMUM_DEPTH) problems.push({ message: `nested deeper than ${MAXIMUM_DEPTH} levels`, place: start });
  else if (size > MAXIMUM_NODES || merged > MAXIMUM_NODES) {
    problems.push({ message: `more than ${MAXIMUM_NODES} values once its aliases are expanded`, place: start });
  } else return { root: located, problems };
  return { problems };
}

function grow(total: { size: number; height: number }, child: Finished): void {
  total.size += child.size;
  total.height = Math.max(total.height, child.height + 1);
}

function emptyAt(place: Position): Finished {
  return { located: { kind: 'scalar', place, value: null }, size: 1, height: 0 };
}

function scalarOf({ value, source }: Scalar): LocatedScalar['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as LocatedScalar['value'])
    : (source ?? '');
}

function explainDuplicate(key: string, place: Position, first: Position | undefined): Problem {
  const shown = isPresentable(key) ? `the key ${quote(key)}` : 'a key';
  return { message: `found ${shown} a second time, expected it once (first on line ${first?.line ?? '?'})`, place };
}
