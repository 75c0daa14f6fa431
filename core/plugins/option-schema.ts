import { z } from 'zod';
import { sharedOptions } from '../config/schema';

/**
 * What a value of a declared option must satisfy, one after the other: the type that core knows, for the shared
 * vocabulary, and the JSON Schema of the manifest, which may narrow it and never widens it.
 */
export function optionSchemas(name: string, declared: Record<string, unknown>): z.ZodType[] {
  const shared = Object.hasOwn(sharedOptions, name) ? sharedOptions[name] : undefined;
  const { default: _default, ...schema } = declared;
  return shared ? [shared, z.fromJSONSchema(schema)] : [z.fromJSONSchema(schema)];
}
