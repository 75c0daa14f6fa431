import type { ChatRequest, ResponseFormat } from 'drivebay/plugin';
import { type Fields, fieldsOf, isFields } from '../fields';

/** The JSON schema that an answer must keep to; undefined where the format has none. */
export function schemaOf(format: ResponseFormat | undefined): Fields | undefined {
  if (format?.type === 'json_schema') return format.schema;
  if (format?.type !== 'other') return undefined;
  const { type, json_schema: nested, schema } = fieldsOf(format.value);
  const found = isFields(nested) ? nested.schema : schema;
  return type === 'json_schema' && isFields(found) ? found : undefined;
}

/** Whether the answer must be more than text. */
export function asksForForm({ responseFormat }: ChatRequest): boolean {
  return responseFormat !== undefined && responseFormat.type !== 'text';
}
