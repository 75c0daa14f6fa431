import type { z } from 'zod';

/**
 * Parses a value from outside. zod 4.6 compares the `length` of the value where a text or a list of a certain length
 * is expected, and throws if that is no number, as in {"length": {"toString": 1}}. Such a value has the wrong type, so a second
 * parse without these fields reports it.
 */
export function parseSafely<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context?: { readonly jitless: true },
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, context);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return schema.safeParse(withoutLengths(value), context);
  }
}

function withoutLengths(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutLengths);
  const fields = Object.entries(value).filter(([name, field]) => name !== 'length' || typeof field !== 'object');
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutLengths(field)]));
}

/**
 * For a schema that parses few values. Otherwise zod compiles the schema at its first use, which takes milliseconds and
 * only pays off after hundreds of values.
 */
export const ONCE = { jitless: true } as const;
