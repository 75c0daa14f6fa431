import type { z } from 'zod';
import { validateKnownOptions } from '../config/known-options';
import { type Located, placeOf } from '../config/located';
import type { ProviderEntry } from '../config/load';
import { didYouMean } from '../config/did-you-mean';
import { validate, type Validated } from '../config/problems';
import { commonOptions } from '../config/schema';
import type { Problem } from '../errors';
import type { Manifest } from './manifest';
import { optionSchemas } from './option-schema';

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
    // A key may be called `constructor`: only what the tables themselves hold counts.
    const common = Object.hasOwn(commonOptions, name) ? commonOptions[name] : undefined;
    const declared = Object.hasOwn(manifest.options, name) ? manifest.options[name] : undefined;
    const schemas = common ? [common] : declared && optionSchemas(name, declared);
    if (!schemas) {
      resolved.warnings.push({ place: field.keyPlace ?? field.place, ...explainIgnored(name, entry, manifest, known) });
      continue;
    }
    const { value, problems, warnings } = validateAll(schemas, field, `${entry.path}.${name}`);
    resolved.warnings.push(...warnings);
    resolved.problems.push(...problems);
    if (name === 'base_url' && holdsUser(value)) resolved.warnings.push(explainUser(field, entry));
    if (problems.length === 0) (common ? resolved.common : resolved.driver)[name] = value;
  }
  for (const [name, schema] of Object.entries(manifest.options)) {
    // Only absent options get the default: an explicit empty value is the user's word.
    if (!entry.fields.entries.has(name) && schema.default !== undefined) resolved.driver[name] = schema.default;
  }
  for (const name of manifest.required) {
    if (entry.fields.entries.has(name) || resolved.driver[name] !== undefined) continue;
    if (entry.held.includes(name)) resolved.held.push(name);
    else resolved.problems.push(explainMissing(name, entry, manifest));
  }
  return resolved;
}

/**
 * The same for an entry whose manifest is missing or cannot be read: nobody can say which other options count, but what
 * core itself knows is validated.
 */
export function resolveWithoutManifest(entry: ProviderEntry): ResolvedOptions {
  const { common, problems, warnings } = validateKnownOptions(entry.fields, entry.path);
  return { common: { name: entry.name, driver: entry.driver, ...common }, driver: {}, problems, warnings, held: [] };
}

/** The outcome of the first schema that finds a problem, else of the last. */
function validateAll(schemas: z.ZodType[], field: Located, path: string): Validated<unknown> {
  let result: Validated<unknown> = { problems: [], warnings: [] };
  for (const schema of schemas) {
    result = validate(schema, field, path);
    if (result.problems.length > 0) break;
  }
  return result;
}

/** The HTTP of drivers knows no credentials but those that are looked up: a file is no place for a password. */
function holdsUser(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function explainUser({ place }: Located, { path }: ProviderEntry): Problem {
  return {
    place,
    message: `${path}.base_url: the user and the password in it are not sent`,
    hint: 'take them out, and set api_key_env to the NAME of a variable that holds a key',
  };
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
