import { isScalar } from 'yaml';
import type { Problem } from '../errors';
import type { Located, LocatedMap } from './located';

/** Whether a key is the merge key of YAML 1.1, which 1.2 left out and people go on using: a plain `<<`. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** The maps that a merge key names, the strongest one first. */
export function mapsToMerge(value: Located): LocatedMap[] | Problem {
  const sources = value.kind === 'list' ? value.items : [value];
  const maps = sources.filter((source) => source.kind === 'map');
  if (maps.length === sources.length) return maps;
  return {
    message: 'found another value behind a merge key (<<), expected a map (*...) or a list of them',
    place: value.place,
  };
}

/** Adds what the map does not say itself. Returns how many keys were looked at. */
export function mergeBelow(entries: Map<string, Located>, sources: LocatedMap[]): number {
  let looked = 0;
  for (const source of sources) {
    looked += source.entries.size;
    for (const [key, value] of source.entries) if (!entries.has(key)) entries.set(key, value);
  }
  return looked;
}
