import type { Problem } from '../errors';
import type { LocatedMap } from './located';
import { validate } from './problems';
import { commonOptions, sharedOptions } from './schema';

export interface KnownOptions {
  /** The good ones of core's own, without name and driver: those are looked at before anything else. */
  common: Record<string, unknown>;
  problems: Problem[];
  warnings: Problem[];
}

/**
 * Validates the options of an entry that core knows the type of. For an entry whose driver is not known: what else is
 * wrong with it is said in the same run.
 */
export function validateKnownOptions({ entries }: LocatedMap, path: string): KnownOptions {
  const known: KnownOptions = { common: {}, problems: [], warnings: [] };
  for (const [name, field] of entries) {
    if (name === 'name' || name === 'driver') continue;
    const isCommon = Object.hasOwn(commonOptions, name);
    const schema = isCommon ? commonOptions[name] : Object.hasOwn(sharedOptions, name) && sharedOptions[name];
    if (!schema) continue;
    const { value, problems, warnings } = validate(schema, field, `${path}.${name}`);
    known.problems.push(...problems);
    known.warnings.push(...warnings);
    if (isCommon && problems.length === 0) known.common[name] = value;
  }
  return known;
}
