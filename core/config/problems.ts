import type { z } from 'zod';
import { isCredentialField } from '../contract/secrets';
import type { Problem } from '../errors';
import { ONCE, parseSafely } from './parse-safely';
import { formatPath, YAML_WORDS } from './describe-found';
import { didYouMean } from './did-you-mean';
import { fieldFor } from './foreign-names';
import { explainIssue, narrow, valueAt } from './explain-issue';
import { allowedValues, type JsonSchema, jsonSchemaOf, propertiesAt, schemaAt } from './json-schema';
import { type Located, nodeAt, type Path, placeOf, valueOf } from './located';

interface Validated<Value> {
  value?: Value;
  problems: Problem[];
  /** The unknown keys inside the value. They are ignored. */
  warnings: Problem[];
}

/** Validates a value. Each message names the field, the found value and the expected one. */
export function validate<Value>(schema: z.ZodType<Value>, located: Located, pathPrefix: string): Validated<Value> {
  const data = valueOf(located);
  const first = parseSafely(schema, data, ONCE);
  if (first.success) return { value: first.data, problems: [], warnings: [] };
  const expected = jsonSchemaOf(schema);
  const warnings: Problem[] = [];
  const misnamed = new Map<string, string>();
  for (const issue of first.error.issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) {
      warnings.push(explainUnknownKey(located, expected, issue.path, key, pathPrefix));
      const meant = guessKey(key, propertiesAt(expected, issue.path));
      if (meant !== undefined) misnamed.set(formatPath(pathPrefix, [...issue.path, meant]), key);
      removeKey(data, issue.path, key);
    }
  }
  const second = warnings.length > 0 ? parseSafely(schema, data, ONCE) : first;
  if (second.success) return { value: second.data, problems: [], warnings };
  const problems = new Map<string, Problem>();
  for (const issue of second.error.issues.flatMap(narrow)) {
    const field = formatPath(pathPrefix, issue.path);
    const isSecret = namesIn(pathPrefix, issue.path).some(isCredentialField) || isDeclaredSecret(expected, issue.path);
    const { found, wanted } = explainIssue(issue, data, expected, YAML_WORDS, isSecret);
    const wrong = misnamed.get(field);
    const where = wrong !== undefined ? `did you mean ${String(issue.path.at(-1))} where it says ${wrong}?` : undefined;
    // One message per value: it contains every expectation, even when several checks fail.
    problems.set(field, {
      message: `${field === '' ? '' : `${field}: `}found ${found}, expected ${wanted}`,
      place: placeOf(located, issue.path),
      hint:
        where ??
        (issue.code === 'unrecognized_keys'
          ? adviseKey(issue.keys[0]!, propertiesAt(expected, issue.path))
          : suggest(valueAt(data, issue.path), schemaAt(expected, issue.path))),
    });
  }
  return { problems: [...problems.values()], warnings };
}

/** The names of fields without names of providers, such as `monkey`. */
function namesIn(prefix: string, path: Path): string[] {
  return [...prefix.replace(/\[[^\]]*\]/g, '').split('.'), ...path.map(String)];
}

/** Whether a schema on the way to a value says that it is secret. */
function isDeclaredSecret(root: JsonSchema, path: Path): boolean {
  return [root, ...path.map((_, index) => schemaAt(root, path.slice(0, index + 1)))].some((schema) => schema?.secret);
}

function suggest(value: unknown, schema: JsonSchema | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object' || !schema) return undefined;
  const values = allowedValues(schema);
  if (values) {
    const texts = values.filter((allowed) => typeof allowed === 'string');
    const twin = values.find((allowed) => String(allowed) === String(value as string));
    if (twin !== undefined) return typeof twin === 'string' ? 'put it in quotes' : 'write it without quotes';
    const guess = typeof value === 'string' ? didYouMean(value, texts) : undefined;
    return guess === undefined ? undefined : `did you mean ${guess}?`;
  }
  const types = [schema.type ?? []].flat();
  const { format, pattern = '' } = schema;
  // Quotes alone make no URL of a number.
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return format === undefined && new RegExp(pattern).test(String(value)) ? 'put it in quotes' : undefined;
  }
  if (typeof value === 'string' && types.includes('boolean') && /^(yes|on|no|off)$/i.test(value))
    return `write it as ${/^(yes|on)$/i.test(value)}`;
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  if (isNumeric && (types.includes('integer') || types.includes('number'))) return 'write it without quotes';
  return types.includes('array') ? 'write it as a list: [...]' : undefined;
}

function explainUnknownKey(located: Located, root: JsonSchema, path: Path, key: string, prefix: string): Problem {
  const field = formatPath(prefix, [...path, key]);
  const node = nodeAt(located, [...path, key]);
  return {
    message: `${field}: unknown key, ignored`,
    place: node?.keyPlace ?? placeOf(located, path),
    hint: adviseKey(key, propertiesAt(root, path)),
  };
}

function adviseKey(key: string, properties: Record<string, JsonSchema>): string | undefined {
  const guess = guessKey(key, properties);
  return guess && `did you mean ${guess}?`;
}

/** A key that stands one level too high is found where it belongs, and one that lacks a word, as `default`, by the others. */
function guessKey(key: string, properties: Record<string, JsonSchema>): string | undefined {
  const names = Object.keys(properties);
  const foreign = fieldFor(key, names);
  if (foreign !== undefined) return foreign;
  const deeper = names.find((name) => Object.hasOwn(properties[name]?.properties ?? {}, key));
  if (deeper !== undefined) return `${deeper}.${key}`;
  const longer = names.filter((name) => name.split('_').includes(key.toLowerCase()));
  return didYouMean(key, names) ?? (longer.length === 1 ? longer[0] : undefined);
}

function removeKey(data: unknown, path: Path, key: string): void {
  let holder = data;
  for (const step of path) holder = (holder as Record<PropertyKey, unknown>)[step];
  delete (holder as Record<string, unknown>)[key];
}
