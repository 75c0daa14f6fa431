import { z } from 'zod';
import type { Path } from './located';
import { patternMeanings } from './schema';

/** The parts of JSON Schema that messages are made of. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  pattern?: string;
  format?: string;
}

/**
 * JSON Schema is the form that the schemas of core and those of manifests share. It holds all that is expected of a
 * value, where a zod issue only says which check failed first.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

export function schemaAt(root: JsonSchema, path: Path): JsonSchema | undefined {
  let schemas = variantsOf(root);
  for (const step of path) {
    const children = schemas.map((schema) => childOf(schema, step)).filter((child) => child !== undefined);
    schemas = children.flatMap(variantsOf);
  }
  return schemas[0];
}

/** The values that a closed list allows, or undefined where the list is open. */
export function allowedValues(schema: JsonSchema | undefined): unknown[] | undefined {
  return schema?.enum ?? (schema?.const === undefined ? undefined : [schema.const]);
}

export function describeExpected(schema: JsonSchema): string {
  const values = allowedValues(schema);
  if (values) return describeValues(values);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return joinAlternatives(variants.map(describeExpected));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return types.length === 0 ? 'another value' : joinAlternatives(types.map((type) => describeType(type, schema)));
}

function describeType(type: string, schema: JsonSchema): string {
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
      return typeof schema.items === 'object' && schema.items.type === 'string' ? 'a list of texts' : 'a list';
    case 'object':
      return 'a map';
    default:
      return 'nothing';
  }
}

function describeText({ pattern, format, minLength }: JsonSchema): string {
  if (pattern !== undefined) return patternMeanings.get(pattern) ?? `a text that matches ${pattern}`;
  if (format === 'uri') return 'an http or https URL';
  return minLength ? 'a text that is not empty' : 'a text';
}

function describeRange({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): string {
  const bounds = [
    isReal(minimum) && `of ${minimum} or more`,
    isReal(exclusiveMinimum) && `above ${exclusiveMinimum}`,
    isReal(maximum) && `of at most ${maximum}`,
    isReal(exclusiveMaximum) && `below ${exclusiveMaximum}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

/** zod gives every integer the bounds of exact numbers; nobody needs to read them. */
function isReal(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function describeValues(values: unknown[]): string {
  const shown = [...new Set(values.map((value) => (value === '' ? '""' : String(value))))];
  return shown.length === 1 ? `"${shown[0]}"` : `one of ${shown.join(', ')}`;
}

function joinAlternatives(texts: string[]): string {
  return [...new Set(texts)].join(' or ');
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  return [schema, ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((variants) => variants ?? [])];
}

function childOf(schema: JsonSchema, step: PropertyKey): JsonSchema | undefined {
  const { properties, additionalProperties, prefixItems, items } = schema;
  if (typeof step === 'number') return prefixItems?.[step] ?? objectOrNothing(items);
  const known = properties && Object.hasOwn(properties, step) ? properties[String(step)] : undefined;
  return known ?? objectOrNothing(additionalProperties);
}

function objectOrNothing(schema: JsonSchema | boolean | undefined): JsonSchema | undefined {
  return typeof schema === 'object' ? schema : undefined;
}
