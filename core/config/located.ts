import type { Position } from '../errors';

/** A value that remembers where each of its nodes stands, so that every message can name a line. */
export type Located = LocatedMap | LocatedList | LocatedScalar;

interface Node {
  /** Where the value stands. */
  place: Position;
  /** Where its key stands, for the value of a map entry. */
  keyPlace?: Position;
}

export interface LocatedMap extends Node {
  kind: 'map';
  entries: Map<string, Located>;
}

export interface LocatedList extends Node {
  kind: 'list';
  items: Located[];
}

export interface LocatedScalar extends Node {
  kind: 'scalar';
  value: string | number | boolean | null;
}

/** The path of a zod issue, or of anything else inside a value. */
export type Path = readonly PropertyKey[];

/** The plain data. A key `__proto__` is left out: assigned to an object, it would change what the object is. */
export function valueOf(located: Located): unknown {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'list') return located.items.map(valueOf);
  const data: Record<string, unknown> = {};
  for (const [key, entry] of located.entries) {
    if (key !== '__proto__') data[key] = valueOf(entry);
  }
  return data;
}

/** The node at a path, if there is one. */
export function nodeAt(located: Located, path: Path): Located | undefined {
  let node: Located | undefined = located;
  for (const step of path) node = node && childOf(node, step);
  return node;
}

/** The position of the deepest node that exists on a path. */
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
