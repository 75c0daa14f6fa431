import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { Position, Problem } from '../errors';
import { isPresentable, quote } from './describe-found';
import type { Located, LocatedScalar } from './located';

/** No configuration needs more. The limit protects recursive code. */
export const MAXIMUM_DEPTH = 100;
export const TOO_DEEP = `nested deeper than ${MAXIMUM_DEPTH} levels`;

/** The limit for the nodes with all aliases expanded. */
const MAXIMUM_NODES = 100_000;

/** Converts the nodes of a YAML document. Aliases share their target, so a YAML bomb stays small. */
export function toLocated(
  contents: Node | null,
  at: (offset: number) => Position,
): { root?: Located; problems: Problem[] } {
  const problems: Problem[] = [];
  const anchors = new Map<string, Located | 'unfinished'>();
  const start = at(0);
  let merged = 0;

  function convert(node: Node | null, depth: number, keyPlace?: Position): Located {
    const place = placeOf(node, keyPlace);
    if (!node || depth > MAXIMUM_DEPTH) return emptyAt(place);
    if (isAlias(node)) return follow(node, place);
    const anchor = 'anchor' in node && typeof node.anchor === 'string' ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, 'unfinished');
    const located = convertPlain(node, depth, place);
    if (anchor !== undefined) anchors.set(anchor, located);
    return located;
  }

  function convertPlain(node: Node, depth: number, place: Position): Located {
    if (isMap(node)) return convertMap(node, depth, place);
    if (!isSeq(node)) return { kind: 'scalar', place, value: scalarOf(node as Scalar) };
    return { kind: 'list', place, items: node.items.map((item) => convert(item as Node | null, depth + 1)) };
  }

  function convertMap(map: YAMLMap, depth: number, place: Position): Located {
    const entries = new Map<string, Located>();
    let below: Located | undefined;
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const keyPlace = placeOf(key as Node | null, place);
      const child = convert(value as Node | null, depth + 1, keyPlace);
      // A plain `<<` is the merge key of YAML 1.1. Version 1.2 has none, but people still use it.
      const isMerge = isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
      const first = isMerge ? below : entries.get(name);
      if (isMerge && !first) below = { ...child, keyPlace };
      else if (!first) entries.set(name, { ...child, keyPlace });
      else problems.push(explainDuplicate(name, keyPlace, first.keyPlace));
    }
    if (below) merge(entries, below);
    return { kind: 'map', place, entries };
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

  function follow(alias: Alias, place: Position): Located {
    const target = anchors.get(alias.source);
    if (target && target !== 'unfinished') return { ...target, place };
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
  const root = convert(contents, 0);
  const excess = merged > MAXIMUM_NODES ? TOO_MANY : findExcess(root);
  if (excess === undefined) return { root, problems };
  return { problems: [...problems, { message: excess, place: start }] };
}

const TOO_MANY = `more than ${MAXIMUM_NODES} values once its aliases are expanded`;

/** Looks at each value as often as aliases lead to it. */
function findExcess(root: Located): string | undefined {
  let nodes = 0;
  const walk = (node: Located, depth: number): string | undefined => {
    nodes += 1;
    if (depth > MAXIMUM_DEPTH) return TOO_DEEP;
    if (nodes > MAXIMUM_NODES) return TOO_MANY;
    if (node.kind === 'scalar') return undefined;
    for (const child of node.kind === 'map' ? node.entries.values() : node.items) {
      const excess = walk(child, depth + 1);
      if (excess !== undefined) return excess;
    }
    return undefined;
  };
  return walk(root, 0);
}

function emptyAt(place: Position): Located {
  return { kind: 'scalar', place, value: null };
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
