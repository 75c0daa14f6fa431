import { z } from 'zod';
import { commonOptions, sharedOptions } from '../config/schema';

/** The options that a manifest declares: name to JSON Schema. */
export type DeclaredOptions = Readonly<Record<string, Record<string, unknown>>>;

/**
 * The one schema of a provider entry, option by option: core's own options, and those that the manifest of its driver
 * declares. A value must satisfy the schemas one after the other. Undefined: there is no such option.
 */
export function entrySchemasOf(name: string, declared: DeclaredOptions): z.ZodType[] | undefined {
  // An option may be called `constructor`: only the own fields of the tables count.
  if (Object.hasOwn(commonOptions, name)) return [commonOptions[name]!];
  return Object.hasOwn(declared, name) ? declaredSchemas(name, declared[name]!) : undefined;
}

/**
 * The schemas of a declared option: the type that core knows, for a shared option, and the JSON Schema of the manifest.
 * The manifest may narrow what core says, and cannot widen it.
 */
export function declaredSchemas(name: string, { default: _default, ...schema }: Record<string, unknown>): z.ZodType[] {
  const shared = Object.hasOwn(sharedOptions, name) ? [sharedOptions[name]!] : [];
  return [...shared, z.fromJSONSchema(schema)];
}
