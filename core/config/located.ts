import type { Position } from '../errors';

/** A value with the place of each node, so that every message can name a line. */
export type Located = LocatedMap | LocatedList | LocatedScalar;

interface Node {
  place: Position;
  /** The place of the key, for the value of a map entry. */
  keyPlace?: Position;
}

export interface LocatedMap extends Node {
  kind: 'map';
  entries: Map<string, Located>;
}

interface LocatedList extends Node {
  kind: 'list';
  items: Located[];
}

export interface LocatedScalar extends Node {
  kind: 'scalar';
  value: string | number | boolean | null;
}

export type Path = readonly PropertyKey[];

/** The plain data, without a key `__proto__`, which would set the prototype of the object. */
export function valueOf(located: Located): unknown {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'list') return located.items.map(valueOf);
  const data: Record<string, unknown> = {};
  for (const [key, entry] of located.entries) {
    if (key !== '__proto__') data[key] = valueOf(entry);
  }
  return data;
}

export function nodeAt(located: Located, path: Path): Located | undefined {
  let node: Located | undefined = located;
  for (const step of path) node = node && childOf(node, step);
  return node;
}

/** The place of the deepest existing node on a path. */
export function placeOf(located: Located, path: Path): Position {
  let deepest = located;
  for (const step of path) {
    const child = childOf(deepest, step);
    if (!child) break;
    deepest = child;
  }
  return deepest.place;
}

function childOf(node: Located, step: PropertyKey): Located | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  return node.kind === 'list' ? node.items[Number(step)] : undefined;
}
