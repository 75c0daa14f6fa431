import { z } from 'zod';
import { placeOf } from '../config/located';
import type { ProviderEntry } from '../config/load';
import { didYouMean, validate } from '../config/problems';
import { commonOptions, sharedOptions } from '../config/schema';
import type { Problem } from '../errors';
import type { Manifest } from './manifest';

export interface ResolvedOptions {
  /** Core's own options by name, as far as they were set. */
  common: Record<string, unknown>;
  /** The options that the manifest declares, with its defaults. */
  driver: Record<string, unknown>;
  problems: Problem[];
  warnings: Problem[];
  /** Required options that wait for `drivebay trust`. */
  held: string[];
}

/**
 * Sorts the fields of a provider entry by owner and validates them: core's own, those that the driver declares, and
 * the rest, which is ignored with a warning. `known` holds the option names of every manifest: an unknown name in the
 * entry is a typo, a known one merely belongs to another driver.
 */
export function resolveOptions(entry: ProviderEntry, manifest: Manifest, known: ReadonlySet<string>): ResolvedOptions {
  const resolved: ResolvedOptions = { common: {}, driver: {}, problems: [], warnings: [], held: [] };
  for (const [name, field] of entry.fields.entries) {
    const declared = Object.hasOwn(manifest.options, name) ? manifest.options[name] : undefined;
    const target = Object.hasOwn(commonOptions, name) ? resolved.common : resolved.driver;
    const schema = commonOptions[name] ?? (declared && optionSchema(name, declared));
    if (!schema) {
      resolved.warnings.push({ place: field.place, ...explainIgnored(name, entry, manifest, known) });
      continue;
    }
    const { value, problems, warnings } = validate(schema, field, `${entry.path}.${name}`);
    resolved.warnings.push(...warnings);
    if (problems.length > 0) resolved.problems.push(...problems);
    else target[name] = value;
  }
  for (const [name, schema] of Object.entries(manifest.options)) {
    // Only absent options get the default: an explicit empty value is the user's word.
    if (!entry.fields.entries.has(name) && schema.default !== undefined) resolved.driver[name] = schema.default;
  }
  for (const name of manifest.required) {
    if (entry.fields.entries.has(name)) continue;
    if (entry.held.includes(name)) resolved.held.push(name);
    else resolved.problems.push(explainMissing(name, entry, manifest));
  }
  return resolved;
}

/** Core knows the type of the shared vocabulary; whatever else the manifest says of an option is its JSON Schema. */
function optionSchema(name: string, declared: Record<string, unknown>): z.ZodType {
  const shared = sharedOptions[name];
  if (shared && declared.type === undefined && declared.enum === undefined) return shared;
  const { default: _default, ...schema } = declared;
  return z.fromJSONSchema(schema);
}

function explainIgnored(
  name: string,
  entry: ProviderEntry,
  manifest: Manifest,
  known: ReadonlySet<string>,
): Pick<Problem, 'message' | 'hint'> {
  const provider = `provider "${entry.name}"`;
  if (known.has(name)) return { message: `${provider}: driver "${manifest.driver}" does not use ${name}, ignored` };
  const guess = didYouMean(name, [...Object.keys(commonOptions), ...Object.keys(manifest.options)]);
  return {
    message: `${provider}: unknown option ${name}, ignored`,
    ...(guess && { hint: `did you mean ${guess}?` }),
  };
}

function explainMissing(name: string, entry: ProviderEntry, manifest: Manifest): Problem {
  return {
    place: placeOf(entry.fields, []),
    message: `${entry.path}: provider "${entry.name}" needs ${name}, driver "${manifest.driver}" cannot work without it`,
    hint: `add a line "${name}: ..."`,
  };
}
