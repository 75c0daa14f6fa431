import { isFields } from '../../../fields';

/** Backends of other wires refuse a strict schema with one of these. */
const LOOSE = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems'];
const MAPS = ['properties', '$defs', 'definitions'];

/**
 * Whether other wires take a schema as strict: each object names all its properties, and wants every one of them. This
 * wire takes optional ones, too.
 */
export function fitsStrict(schema: unknown): boolean {
  if (!isFields(schema)) return true;
  if (LOOSE.some((name) => schema[name] !== undefined)) return false;
  const { properties = {}, required, additionalProperties, items } = schema;
  if (schema.type === 'object' || schema.properties !== undefined) {
    if (additionalProperties !== false || !isFields(properties)) return false;
    const wanted = new Set<unknown>(Array.isArray(required) ? required : []);
    if (!Object.keys(properties).every((name) => wanted.has(name))) return false;
  }
  const inner = [items, schema.anyOf, ...MAPS.map((name) => valuesOf(schema[name]))];
  return inner.flat().every(fitsStrict);
}

function valuesOf(map: unknown): unknown[] {
  return isFields(map) ? Object.values(map) : [];
}
