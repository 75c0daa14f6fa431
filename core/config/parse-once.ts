/**
 * For a schema that parses few values. Otherwise zod compiles the schema at its first use, which takes milliseconds and
 * only pays off after hundreds of values.
 */
export const ONCE = { jitless: true } as const;
