import type { LocatedMap } from './located';

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
    merged.set(name, below ? { name, path: `${list}[${name}]`, fields: mergeMaps(below.fields, fields) } : entry);
  }
  return [...merged.values()];
}

/** Merges maps key by key. Other values, empty ones too, replace the base. A value keeps its place. */
function mergeMaps(base: LocatedMap, override: LocatedMap): LocatedMap {
  const entries = new Map(base.entries);
  for (const [key, value] of override.entries) {
    const below = entries.get(key);
    entries.set(key, below?.kind === 'map' && value.kind === 'map' ? mergeMaps(below, value) : value);
  }
  return { ...base, entries };
}
