/**
 * For a schema that parses a few values in the life of a program: zod compiles one to code at its first use, which takes
 * milliseconds and pays off after hundreds of values only.
 */
export const ONCE = { jitless: true } as const;
