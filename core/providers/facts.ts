/** What something is made of, by the name that a user knows it by. Values are compared only, and never shown. */
export type Facts = ReadonlyMap<string, string>;

/** A device, and what it was made of. A reload keeps the device while that stays the same. */
export interface Made<Device> {
  device: Device;
  facts: Facts;
}

export function factsOf(values: Readonly<Record<string, unknown>>): Facts {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return new Map(known.map(([name, value]) => [name, JSON.stringify(value, sorted)]));
}

/** The names of the facts that differ, in the order of the later ones. */
export function changedFacts(before: Facts, after: Facts): string[] {
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** The order of keys means nothing. */
function sorted(_key: string, value: unknown): unknown {
  if (value instanceof Map) return sorted('', Object.fromEntries(value));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
