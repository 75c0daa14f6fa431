/** A JSON object of the wire whose shape is not known. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** What servers send for "nothing": such fields are not passed on. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The fields that are not named in `known` and say something; undefined when there are none. */
export function unknownFields(fields: Fields, known: ReadonlySet<string>): Fields | undefined {
  let unknown: Fields | undefined;
  for (const name in fields) {
    if (known.has(name) || name === '__proto__' || isBlank(fields[name])) continue;
    unknown ??= {};
    unknown[name] = fields[name];
  }
  return unknown;
}
