import type { z } from 'zod';
import type { Problem } from '../errors';
import type { Located, LocatedMap } from './located';
import { validate } from './problems';
import { commonOptions, sharedOptions } from './schema';

export interface ValidOptions {
  /** The good values by name. */
  values: Record<string, unknown>;
  problems: Problem[];
  warnings: Problem[];
  /** The fields that have no schema. */
  unknown: [name: string, field: Located][];
}

/**
 * Validates the options of an entry. `schemasOf` is its schema: what a value of an option must satisfy, one after the
 * other, or undefined where there is no such option. Name and driver are left out: they were read before the schema was
 * known.
 */
export function validateOptions(
  { entries }: LocatedMap,
  path: string,
  schemasOf: (name: string) => readonly z.ZodType[] | undefined,
): ValidOptions {
  const options: ValidOptions = { values: {}, problems: [], warnings: [], unknown: [] };
  for (const [name, field] of entries) {
    if (name === 'name' || name === 'driver') continue;
    const schemas = schemasOf(name);
    if (!schemas) options.unknown.push([name, field]);
    for (const schema of schemas ?? []) {
      const { value, problems, warnings } = validate(schema, field, `${path}.${name}`);
      options.warnings.push(...warnings);
      options.problems.push(...problems);
      if (problems.length > 0) {
        delete options.values[name];
        break;
      }
      options.values[name] = value;
    }
  }
  return options;
}

/** The schema of an entry whose driver is not known: the options that core knows the type of. */
export function coreSchemasOf(name: string): z.ZodType[] | undefined {
  const options = Object.hasOwn(commonOptions, name) ? commonOptions : sharedOptions;
  return Object.hasOwn(options, name) ? [options[name]!] : undefined;
}
