import type { ResponseFormat } from '../contract/api';
import { defined, isFields } from '../fields';
import { ifText } from './value-at';

/** The form that a client wants of the answer. `definition`: where its wire has the name and the schema. */
export function toResponseFormat(format: Record<string, unknown>, definition: unknown): ResponseFormat {
  if (format.type === 'text' || format.type === 'json_object') return { type: format.type };
  if (format.type !== 'json_schema' || !isFields(definition) || typeof definition.name !== 'string') {
    return { type: 'other', value: format };
  }
  const { name, schema, strict, description } = definition;
  return defined<ResponseFormat>({
    type: 'json_schema',
    name,
    schema: isFields(schema) ? schema : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    description: ifText(description),
  });
}
