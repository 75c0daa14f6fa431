import type { Tool } from '../contract/api';
import type { Fields } from '../fields';
import { objectAt } from './value-at';

/** The function of a tool as every wire has it. `schemaName`: where the wire has the schema of its arguments. */
export function toTool(name: string, fields: Fields, path: string, schemaName = 'parameters'): Tool {
  const { description, strict, [schemaName]: schema } = fields;
  const tool: Tool = { name };
  if (typeof description === 'string') tool.description = description;
  if (schema != null) tool.parameters = objectAt(`${path}.${schemaName}`, schema);
  if (typeof strict === 'boolean') tool.strict = strict;
  return tool;
}
