import type { Words } from './describe-found';
import { allowedValues, type JsonSchema } from './json-schema';
import { patternMeanings } from './schema';

export function describeExpected(schema: JsonSchema, words: Words): string {
  const values = allowedValues(schema);
  if (values) return describeValues(values);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const wanted = variants.filter(({ type }) => type !== 'null' || words.takesNull);
    return joinAlternatives(wanted.map((variant) => describeExpected(variant, words)));
  }
  const named = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat();
  const types = named.filter((type) => type !== 'null' || words.takesNull);
  return types.length === 0
    ? 'another value'
    : joinAlternatives(types.map((type) => describeType(type, schema, words)));
}

/** The types of a schema without `type`, such as `propertyNames` or a part of `allOf`. */
function impliedTypes({ pattern, format, minLength, maxLength, minimum, maximum }: JsonSchema): string[] {
  if ([pattern, format, minLength, maxLength].some((keyword) => keyword !== undefined)) return ['string'];
  return minimum === undefined && maximum === undefined ? [] : ['number'];
}

function describeType(type: string, schema: JsonSchema, words: Words): string {
  switch (type) {
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'string':
      return describeText(schema);
    case 'boolean':
      return 'true or false';
    case 'array':
      return describeList(schema);
    case 'object':
      return words.map + describeCount(schema.minProperties, schema.maxProperties, 'key');
    default:
      return words.null;
  }
}

const FORMATS: Record<string, string> = {
  uri: 'an http or https URL',
  email: 'an e-mail address',
  date: 'a date (2026-01-31)',
  'date-time': 'a date and time (2026-01-31T12:00:00Z)',
};

function describeText({ pattern, format, minLength, maxLength }: JsonSchema): string {
  // Not the pattern of a format: it is long, and internal to zod.
  if (format !== undefined) return FORMATS[format] ?? `a text in the format "${format}"`;
  if (pattern !== undefined) return patternMeanings.get(pattern) ?? `a text that matches ${pattern}`;
  if (minLength === 1 && maxLength === undefined) return 'a text that is not empty';
  return `a text${describeCount(minLength, maxLength, 'character')}`;
}

function describeList({ items, minItems, maxItems }: JsonSchema): string {
  const ofTexts = typeof items === 'object' && items.type === 'string';
  const count = describeCount(minItems, maxItems, 'item');
  return count === '' && ofTexts ? 'a list of texts' : `a list${count}`;
}

function describeCount(minimum: number | undefined, maximum: number | undefined, noun: string): string {
  const bounds = [minimum && `at least ${minimum}`, maximum !== undefined && `at most ${maximum}`].filter(Boolean);
  return bounds.length === 0 ? '' : ` of ${bounds.join(' and ')} ${noun}${(maximum ?? minimum) === 1 ? '' : 's'}`;
}

function describeRange({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: JsonSchema): string {
  const bounds = [
    isReal(minimum) && `of ${minimum} or more`,
    isReal(exclusiveMinimum) && `above ${exclusiveMinimum}`,
    isReal(maximum) && `of at most ${maximum}`,
    isReal(exclusiveMaximum) && `below ${exclusiveMaximum}`,
    multipleOf !== undefined && multipleOf !== 1 && `that is a multiple of ${multipleOf}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

/** False for the bounds of exact numbers, which zod gives every integer. */
function isReal(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function describeValues(values: unknown[]): string {
  const texts = values.map(String);
  const unique = values.filter((_, index) => texts.indexOf(texts[index]!) === index);
  if (unique.length > 1) return `one of ${unique.map(describeAllowed).join(', ')}`;
  const [only] = unique;
  return typeof only === 'string' ? JSON.stringify(only) : String(only);
}

/** Quotes a text that would be another value without quotes, such as "true" or "5". */
function describeAllowed(value: unknown): string {
  const isOther = /^(true|false|null|~)$/i.test(String(value)) || Number.isFinite(Number(value));
  return typeof value === 'string' && isOther ? JSON.stringify(value) : String(value);
}

function joinAlternatives(texts: string[]): string {
  return [...new Set(texts)].join(' or ');
}
