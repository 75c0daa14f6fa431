import { limitFields } from './limit-fields';
import type { Located, LocatedMap } from './located';

export interface Entry {
  name: string;
  fields: LocatedMap;
  /** The name of the entry in messages, for example `providers[2]`. */
  path: string;
}

export function driverOf(entry: Entry | undefined): string | undefined {
  const node = entry?.fields.entries.get('driver');
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/**
 * Merges the entries of a list of the project into the global ones, by name. Entries of the project alone come last. Messages
 * show an entry of both files by its name, because its number differs between the files.
 */
export function mergeEntries(
  base: readonly Entry[],
  override: readonly Entry[],
  list: 'providers' | 'routes' = 'providers',
): Entry[] {
  const merged = new Map(base.map((entry) => [entry.name, entry]));
  for (const entry of override) {
    const below = merged.get(entry.name);
    const { name, fields } = entry;
    const isLimit = (key: string) => list === 'providers' && Object.hasOwn(limitFields, key);
    const path = `${list}[${name}]`;
    merged.set(name, below ? { name, path, fields: mergeMaps(below.fields, fields, isLimit) } : entry);
  }
  return [...merged.values()];
}

/** Merges maps key by key. Other values, empty ones too, replace the base, but no limit by a looser one. A value keeps its place. */
function mergeMaps(base: LocatedMap, override: LocatedMap, isLimit: (key: string) => boolean): LocatedMap {
  const entries = new Map(base.entries);
  for (const [key, value] of override.entries) {
    const below = entries.get(key);
    const isBound = isLimit(key);
    if (below?.kind === 'map' && value.kind === 'map')
      entries.set(
        key,
        mergeMaps(below, value, () => isBound),
      );
    else if (!below || !isBound || !isLooser(value, below)) entries.set(key, value);
  }
  return { ...base, entries };
}

/** A cloned repository must not raise what its user may spend. A value that is not a number is reported as a mistake later. */
function isLooser(value: Located, below: Located): boolean {
  const [own, bound] = [value, below].map((each) => (each.kind === 'scalar' ? each.value : undefined));
  return typeof own === 'number' && typeof bound === 'number' && !(own < bound);
}
