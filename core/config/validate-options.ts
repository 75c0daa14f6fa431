import type { z } from 'zod';
import type { Problem } from '../errors';
import type { Located, LocatedMap } from './located';
import { validate } from './problems';
import { commonOptions, sharedOptions } from './schema';

interface ValidOptions {
  values: Record<string, unknown>;
  problems: Problem[];
  warnings: Problem[];
  unknown: [name: string, field: Located][];
}

/**
 * Validates the options of an entry, without name and driver, which are checked before. `schemasOf` returns the schemas that
 * an option must satisfy, or undefined for an unknown option.
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

/** The schemas for an entry with an unknown driver: the options whose type core knows. */
export function coreSchemasOf(name: string): z.ZodType[] | undefined {
  const options = Object.hasOwn(commonOptions, name) ? commonOptions : sharedOptions;
  return Object.hasOwn(options, name) ? [options[name]!] : undefined;
}
