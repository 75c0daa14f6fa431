type Fields = Record<string, unknown>;

const KNOWN = new Set(['type', 'title', 'description', 'enum', 'format', 'items', 'anyOf', 'properties', 'required', 'minItems', 'maxItems', 'minimum', 'maximum']); // prettier-ignore

/** The keywords in a schema that the vendor would refuse. */
export function refusedIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (!KNOWN.has(name)) return [name];
    if (name === 'properties') return Object.values(value as Fields).flatMap(refusedIn);
    if (name === 'items') return refusedIn(value);
    return name === 'anyOf' ? (value as unknown[]).flatMap(refusedIn) : [];
  });
}
