import type { ProviderEntry } from './load';
import type { Located, LocatedMap } from './located';

/** A provider entry that stands in no configuration file. Messages name `file`, which says where it is from. */
export function givenEntry(fields: Record<string, unknown> & { name: string; driver: string }, file: string) {
  const place = { file };
  const entry: ProviderEntry = {
    name: fields.name,
    driver: fields.driver,
    place,
    fields: locate(fields, place) as LocatedMap,
    path: fields.name,
    held: [],
  };
  return entry;
}

function locate(value: unknown, place: { file: string }): Located {
  if (Array.isArray(value)) return { kind: 'list', place, items: value.map((item) => locate(item, place)) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [key, locate(item, place)] as const);
    return { kind: 'map', place, entries: new Map(entries) };
  }
  return { kind: 'scalar', place, value: value as string | number | boolean | null };
}
