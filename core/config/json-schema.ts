import { z } from 'zod';
import type { Path } from './located';

type Bound = 'imum' | 'Length' | 'Items' | 'Properties';

export interface JsonSchema extends Partial<Record<`${'min' | 'max'}${Bound}`, number>> {
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
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  pattern?: string;
  format?: string;
  uniqueItems?: boolean;
  propertyNames?: JsonSchema;
  /** Keywords of ours: whether a project file needs trust to set the option, and whether its value is never shown. */
  guarded?: boolean;
  secret?: boolean;
}

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/**
 * JSON Schema is the common form of the schemas of core and of manifests. It contains every expectation of a value; a zod
 * issue contains only the first failed check.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema);
  if (known) return known;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  schemas.set(schema, made as JsonSchema);
  return made as JsonSchema;
}

export function schemaAt(root: JsonSchema, path: Path): JsonSchema | undefined {
  let schemas = variantsOf(root);
  for (const step of path) {
    const children = schemas.map((schema) => childOf(schema, step)).filter((child) => child !== undefined);
    schemas = children.flatMap(variantsOf);
  }
  return schemas[0];
}

/** The fields that a map at a path may have, of all variants. */
export function propertiesAt(root: JsonSchema, path: Path): Record<string, JsonSchema> {
  const schema = schemaAt(root, path);
  const all = schema ? variantsOf(schema).flatMap(({ properties = {} }) => Object.entries(properties)) : [];
  return Object.fromEntries(all);
}

/** The values of an enum or a const. An enum of several types is an `anyOf` of such values. */
export function allowedValues(schema: JsonSchema | undefined): unknown[] | undefined {
  if (schema?.const !== undefined) return [schema.const];
  const variants = schema?.anyOf?.map(allowedValues);
  return schema?.enum ?? (variants?.every((values) => values !== undefined) ? variants.flat() : undefined);
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  return [schema, ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all?.flatMap(variantsOf) ?? [])];
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
