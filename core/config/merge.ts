import type { Located, LocatedMap } from './located';

/** One provider entry of one file, or of both. */
export interface Entry {
  name: string;
  fields: LocatedMap;
  /** How messages name it, for example `providers[2]`. */
  path: string;
}

/**
 * Lays the providers of the project over the global ones, by name; those that only the project has come last. An
 * entry of both files is called by its name: its number would be right in one of the files only.
 */
export function mergeEntries(base: readonly Entry[], override: readonly Entry[]): Entry[] {
  const merged = new Map(base.map((entry) => [entry.name, entry]));
  for (const entry of override) {
    const below = merged.get(entry.name);
    merged.set(entry.name, below ? mergeEntry(below, entry) : entry);
  }
  return [...merged.values()];
}

function mergeEntry(base: Entry, override: Entry): Entry {
  return { name: base.name, path: `providers[${base.name}]`, fields: mergeMaps(base.fields, override.fields) };
}

/** Maps are merged key by key; anything else replaces what was there, empty values too. A place stays with its value. */
function mergeLocated(base: Located, override: Located): Located {
  return base.kind === 'map' && override.kind === 'map' ? mergeMaps(base, override) : override;
}

function mergeMaps(base: LocatedMap, override: LocatedMap): LocatedMap {
  const entries = new Map(base.entries);
  for (const [key, value] of override.entries) {
    const below = entries.get(key);
    entries.set(key, below ? mergeLocated(below, value) : value);
  }
  return { ...base, entries };
}
