import { queryKeys } from '../config/addresses';
import type { ProviderEntry } from '../config/load';
import type { Located } from '../config/located';
import { didYouMean } from '../config/did-you-mean';
import { fieldFor } from '../config/foreign-names';
import { type CommonSettings, commonDefaults, commonOptions } from '../config/schema';
import { coreSchemasOf, validateOptions } from '../config/validate-options';
import { isCredentialField, looksLikeKey, nameOrHidden } from '../contract/secrets';
import type { Problem } from '../errors';
import { entrySchemasOf } from './entry-schema';
import type { Manifest } from './manifest';

/** A provider entry that has been validated. Its options are complete where there is no problem. */
export interface ResolvedEntry {
  /** Core's own options. */
  common: CommonSettings;
  driver: Record<string, unknown>;
  problems: Problem[];
  warnings: Problem[];
  /** Required options that wait for `drivebay trust`. */
  held: string[];
}

/**
 * Validates an entry against the schema of core and of its driver's manifest. A field that neither knows is ignored
 * with a warning: `known` holds the option names of every manifest, so that an option of another driver is not
 * taken for a typo. Without a manifest, which may be missing or broken, only the options that core knows count.
 */
export function resolveEntry(
  entry: ProviderEntry,
  manifest: Manifest | undefined,
  known: ReadonlySet<string>,
): ResolvedEntry {
  const { name, driver, fields, path } = entry;
  const schemasOf = manifest ? (option: string) => entrySchemasOf(option, manifest.options) : coreSchemasOf;
  const { values, problems, warnings, unknown } = validateOptions(fields, path, schemasOf);
  const common = { ...commonDefaults(), name, driver };
  const resolved: ResolvedEntry = { common, driver: {}, problems, warnings, held: [] };
  for (const [option, value] of Object.entries(values)) {
    if (Object.hasOwn(commonOptions, option)) Object.assign(common, { [option]: value });
    else if (manifest) resolved.driver[option] = value;
  }
  if (!manifest) {
    // The missing driver may know an option of this name, but none takes a key here.
    const keys = unknown.filter(
      ([option, field]) => !known.has(option) && isCredentialField(option) && holdsKey(field),
    );
    warnings.push(...keys.map(([option, field]) => explainKey(option, field, entry, true)));
    return resolved;
  }
  if (holdsUser(values.base_url)) warnings.push(explainUser(fields.entries.get('base_url')!, entry));
  if (typeof values.base_url === 'string' && queryKeys(values.base_url).length > 0) {
    warnings.push(explainQuery(fields.entries.get('base_url')!, entry));
  }
  const names = [...Object.keys(commonOptions), ...Object.keys(manifest.options)];
  const guesses = new Map(unknown.map(([option]) => [option, guessOption(option, names)]));
  warnings.push(
    ...unknown.map(([option, field]) => explainIgnored(option, field, entry, names, known, guesses.get(option))),
  );
  for (const [option, { default: standard }] of Object.entries(manifest.options)) {
    // An explicit empty value is the user's word: only an absent option gets the default.
    if (!fields.entries.has(option) && standard !== undefined) resolved.driver[option] = standard;
  }
  for (const option of manifest.required) {
    if (fields.entries.has(option) || resolved.driver[option] !== undefined) continue;
    if (entry.held.includes(option)) resolved.held.push(option);
    else problems.push(explainMissing(option, entry, guesses));
  }
  return resolved;
}

/** Drivers get their credentials from the environment only: a password in the file has no effect. */
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

function explainQuery({ place }: Located, { path }: ProviderEntry): Problem {
  return {
    place,
    message: `${path}.base_url: its query seems to hold a key, and keys are not for this file`,
    hint: 'take it out, and set api_key_env to the NAME of a variable that holds the key',
  };
}

function explainIgnored(
  option: string,
  field: Located,
  entry: ProviderEntry,
  names: readonly string[],
  known: ReadonlySet<string>,
  guess: string | undefined,
): Problem {
  const { name, driver } = entry;
  const at = { place: field.keyPlace ?? field.place };
  const provider = `provider "${name}"`;
  if (known.has(option)) return { ...at, message: `${provider}: driver "${driver}" does not use ${option}, ignored` };
  if (guess === undefined && isCredentialField(option)) {
    return explainKey(option, field, entry, names.includes('api_key_env'));
  }
  const shown = looksLikeKey(option) ? nameOrHidden(option) : option;
  const hint = guess && `did you mean ${guess}?`;
  return { ...at, message: `${provider}: unknown option ${shown}, ignored`, hint };
}

function holdsKey(field: Located): boolean {
  return field.kind === 'scalar' && typeof field.value === 'string' && looksLikeKey(field.value);
}

/** Never shows the value. */
function explainKey(
  option: string,
  { keyPlace, place }: Located,
  { name }: ProviderEntry,
  takesName: boolean,
): Problem {
  return {
    place: keyPlace ?? place,
    message: `provider "${name}": ${option} is ignored, because keys are never in this file`,
    hint: `put the key into an environment variable${takesName ? ', and write its NAME here: api_key_env: NAME' : ''}`,
  };
}

/** The option that an unknown name stands for. */
function guessOption(name: string, options: readonly string[]): string | undefined {
  return fieldFor(name, options) ?? didYouMean(name, options);
}

function explainMissing(
  option: string,
  { name, driver, path, fields }: ProviderEntry,
  guesses: ReadonlyMap<string, string | undefined>,
): Problem {
  const wrong = [...guesses].find(([, guess]) => guess === option)?.[0];
  return {
    place: (wrong !== undefined && fields.entries.get(wrong)?.keyPlace) || fields.place,
    message: `${path}: provider "${name}" needs ${option}, driver "${driver}" cannot work without it`,
    hint: wrong === undefined ? `add a line "${option}: ..."` : `write ${option} in place of ${wrong}`,
  };
}
