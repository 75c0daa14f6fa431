import { z } from 'zod';
import type { Fault } from '../config/explain-issue';
import type { JsonSchema } from '../config/json-schema';
import type { Path } from '../config/located';
import { messageOf } from '../errors';
import { isFields } from '../fields';
import { explainValue } from './entry-schema';
import { zodOf } from './zod-of';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

const any = z.unknown();
const text = z.string();
const flag = z.boolean();
const number = z.number();
const bound = z.union([number, flag]);
const count = z.int().min(0);
const list = z.array(any);
const texts = z.array(text);
const schema = z.union([z.record(text, any), flag]);
const schemas = z.array(schema);
const items = z.union([schema, schemas]);
const named = z.record(text, schema);
const pattern = text.refine(isPattern, 'expected a regular expression');

/** The keywords that the schema of an option may have, ours first, each with what may stand there. */
const KEYWORDS: Record<string, z.ZodType> = {
  ...{ guarded: flag, secret: flag },
  ...{ type: z.union([z.enum(TYPES), z.array(z.enum(TYPES))]), enum: list.min(1), const: any, default: any },
  ...{ description: text, title: text, examples: list, deprecated: flag, readOnly: flag, writeOnly: flag },
  ...{ minimum: number, maximum: number, exclusiveMinimum: bound, exclusiveMaximum: bound, multipleOf: number },
  ...{ minLength: count, maxLength: count, pattern, format: text },
  ...{ contentEncoding: text, contentMediaType: text, contentSchema: schema },
  ...{ items, prefixItems: schemas, additionalItems: schema, unevaluatedItems: schema },
  ...{ minItems: count, maxItems: count, uniqueItems: flag, contains: schema, minContains: count, maxContains: count },
  ...{ properties: named, patternProperties: named, additionalProperties: schema, unevaluatedProperties: schema },
  ...{ required: texts, propertyNames: schema, minProperties: count, maxProperties: count },
  ...{ dependentRequired: z.record(text, texts), dependentSchemas: named, dependencies: z.record(text, any) },
  ...{ anyOf: schemas, allOf: schemas, oneOf: schemas, not: schema, if: schema, then: schema, else: schema },
  ...{ nullable: flag, definitions: named, $defs: named, $schema: text, $id: text, $ref: text, $comment: text },
  ...{ $anchor: text, $dynamicRef: text, $dynamicAnchor: text, $vocabulary: z.record(text, flag) },
};

export const SCHEMA_KEYWORDS: readonly string[] = Object.keys(KEYWORDS);

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source));
  } catch {
    return false;
  }
}

/** A schema with all that stand in it, each with its path. */
export function schemasIn(outer: Record<string, unknown>, path: Path): [Path, Record<string, unknown>][] {
  const inner = Object.entries(outer).flatMap(([name, value]) => partsOf(name, value));
  const parts = inner.flatMap(([steps, part]) => (isFields(part) ? schemasIn(part, [...path, ...steps]) : []));
  return [[path, outer], ...parts];
}

/** What stands in a keyword as a schema. */
function partsOf(name: string, value: unknown): [Path, unknown][] {
  const kind = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
  if (kind === named && isFields(value)) return Object.entries(value).map(([key, part]) => [[name, key], part]);
  if (kind !== schema && kind !== schemas && kind !== items) return [];
  return Array.isArray(value) ? value.map((part, index) => [[name, index], part]) : [[[name], value]];
}

/** Why a JSON Schema cannot be used: keywords with a value that they cannot have, which zod would pass over or stumble over. */
export function explainSchema(outer: Record<string, unknown>, path: Path): Fault[] {
  const faults = schemasIn(outer, path).flatMap(([at, inner]) =>
    Object.entries(inner).flatMap(([name, value]) =>
      Object.hasOwn(KEYWORDS, name) ? explainValue([KEYWORDS[name]!], value, [...at, name]) : [],
    ),
  );
  if (faults.length > 0) return faults;
  try {
    zodOf(outer);
    return [];
  } catch (error) {
    return [{ path, message: `it cannot be used: ${messageOf(error)}` }];
  }
}

/** The names of the fields that the schema of an object is about, each with its path. */
export function fieldsOf(outer: Record<string, unknown>, path: Path): [Path, string][] {
  const {
    properties = {},
    required = [],
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = outer as JsonSchema & { required?: string[] };
  const parts = Object.entries({ anyOf, oneOf, allOf }).flatMap(([name, all]) =>
    all.flatMap((part, index) => fieldsOf(part as Record<string, unknown>, [...path, name, index])),
  );
  return [
    ...Object.keys(properties).map((name): [Path, string] => [[...path, 'properties', name], name]),
    ...required.map((name, index): [Path, string] => [[...path, 'required', index], name]),
    ...parts,
  ];
}
