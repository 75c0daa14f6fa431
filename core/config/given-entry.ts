import type { ProviderEntry } from './load';
import type { Located, LocatedMap } from './located';

/** A provider entry from another source than a configuration file. Messages show `file` as its source, which need not be a path. */
export function givenEntry(values: { name: string; driver: string; [option: string]: unknown }, file: string) {
  const { name, driver } = values;
  const fields = locate(values, { file }) as LocatedMap;
  return { name, driver, place: { file }, fields, path: name, held: [] } satisfies ProviderEntry;
}

function locate(value: unknown, place: { file: string }): Located {
  if (Array.isArray(value)) return { kind: 'list', place, items: value.map((item) => locate(item, place)) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [key, locate(item, place)] as const);
    return { kind: 'map', place, entries: new Map(entries) };
  }
  return { kind: 'scalar', place, value: value as string | number | boolean | null };
}
