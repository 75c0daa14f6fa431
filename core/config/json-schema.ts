import { z } from 'zod';
import type { Path } from './located';

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
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  propertyNames?: JsonSchema;
}

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/**
 * JSON Schema is the form that the schemas of core and those of manifests share. It holds all that is expected of a
 * value, where a zod issue only says which check failed first.
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

/** The values that a closed list allows, or undefined where the list is open. */
export function allowedValues(schema: JsonSchema | undefined): unknown[] | undefined {
  return schema?.enum ?? (schema?.const === undefined ? undefined : [schema.const]);
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  return [
    schema,
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((variants) => variants?.flatMap(variantsOf) ?? []),
  ];
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
