import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Position, Problem } from '../errors';
import { isPresentable, quote } from './describe-found';
import type { Located, LocatedScalar } from './located';
import { isMergeKey, mapsToMerge, mergeBelow } from './merge-keys';

/** No configuration needs more, and the code behind this may walk the tree recursively. */
export const MAXIMUM_DEPTH = 100;

/** Counted with every alias expanded. */
const MAXIMUM_NODES = 100_000;

/** A finished node, and how large it is with its aliases expanded. */
interface Finished {
  located: Located;
  size: number;
  height: number;
}

/** Turns the nodes of a YAML document into located values. Aliases share their target, so a bomb stays small here. */
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
    if (!node || depth > MAXIMUM_DEPTH)
      return { located: emptyAt(place), size: 1, height: depth > MAXIMUM_DEPTH ? 1 : 0 };
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
      const isMerge = isMergeKey(key);
      const first = isMerge ? below : entries.get(name);
      if (isMerge && !first) below = { ...child.located, keyPlace };
      else if (!first) entries.set(name, { ...child.located, keyPlace });
      else problems.push(explainDuplicate(name, keyPlace, first.keyPlace));
    }
    if (below) merge(entries, below);
    return { located: { kind: 'map', place, entries }, ...total };
  }

  /** Counted while it goes on: merged maps that are merged again would fill the memory before the end. */
  function merge(entries: Map<string, Located>, below: Located): void {
    const maps = mapsToMerge(below);
    if (!Array.isArray(maps)) problems.push(maps);
    else if (merged <= MAXIMUM_NODES) merged += mergeBelow(entries, maps);
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
    return { located: emptyAt(place), size: 1, height: 0 };
  }

  function placeOf(node: Node | null, keyPlace: Position | undefined): Position {
    // A value that was left empty stands nowhere, so its key is shown.
    const isEmpty = !node || (isScalar(node) && node.type === 'PLAIN' && node.source === '');
    if (isEmpty && keyPlace) return keyPlace;
    return node?.range ? at(node.range[0]) : start;
  }

  if (contents === null || isEmptyScalar(contents)) {
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

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

function emptyAt(place: Position): LocatedScalar {
  return { kind: 'scalar', place, value: null };
}

function scalarOf({ value, source }: Scalar): LocatedScalar['value'] {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return source ?? '';
}

function explainDuplicate(key: string, place: Position, first: Position | undefined): Problem {
  const shown = isPresentable(key) ? `the key ${quote(key)}` : 'a key';
  return { message: `found ${shown} a second time, expected it once (first on line ${first?.line ?? '?'})`, place };
}
