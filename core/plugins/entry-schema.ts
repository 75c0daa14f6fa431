import type { z } from 'zod';
import { JSON_WORDS } from '../config/describe-found';
import { explainJson, type Fault } from '../config/explain-issue';
import type { Path } from '../config/located';
import { commonOptions, sharedOptions } from '../config/schema';
import { messageOf } from '../errors';
import { zodOf } from './zod-of';

/** The options that a manifest declares: name to JSON Schema. */
type DeclaredOptions = Readonly<Record<string, Record<string, unknown>>>;

/** The schemas of an option of a provider entry; a value must satisfy all. Undefined: there is no such option. */
export function entrySchemasOf(name: string, declared: DeclaredOptions): z.ZodType[] | undefined {
  // An option may be called `constructor`: only the own fields of the tables count.
  if (Object.hasOwn(commonOptions, name)) return [commonOptions[name]!];
  return Object.hasOwn(declared, name) ? declaredSchemas(name, declared[name]!) : undefined;
}

/** The manifest may narrow the type that core knows of a shared option, and cannot widen it. */
export function declaredSchemas(name: string, { default: _default, ...schema }: Record<string, unknown>): z.ZodType[] {
  const shared = Object.hasOwn(sharedOptions, name) ? [sharedOptions[name]!] : [];
  return [...shared, zodOf(schema)];
}

/** Why the JSON Schema at this path of a manifest cannot be used. */
export function explainSchema(schema: Record<string, unknown>, path: Path): Fault[] {
  try {
    zodOf(schema);
    return [];
  } catch (error) {
    return [{ path, message: `it cannot be used: ${messageOf(error)}` }];
  }
}

/** What is wrong with a value in a manifest, which stands at the path: by the first schema that refuses it. */
export function explainValue(schemas: readonly z.ZodType[], value: unknown, path: Path): Fault[] {
  for (const schema of schemas) {
    const { success, error } = schema.safeParse(value);
    if (success || value === undefined) continue;
    const faults = explainJson(schema, value, error.issues, JSON_WORDS);
    return faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  }
  return [];
}
