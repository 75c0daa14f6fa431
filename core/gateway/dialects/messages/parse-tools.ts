import type { Tool } from '../../../contract/api';
import { isFields } from '../../../fields';
import { wrongField } from '../../read-fields';
import type { RequestFields } from './request-fields';

type WireTool = NonNullable<RequestFields['tools']>[number];

/** Reads the tools of the client. `left`: those that the backend itself would have to run, such as a web search. */
export function parseTools(wire: readonly WireTool[]): { tools: Tool[]; left: string[] } {
  const tools: Tool[] = [];
  const left: string[] = [];
  wire.forEach((tool, index) => {
    if (tool.type == null || tool.type === 'custom') tools.push(toTool(tool, `tools[${index}]`));
    else left.push(`tools[${index}]`);
  });
  return { tools, left };
}

function toTool({ name, description, input_schema, strict }: WireTool, path: string): Tool {
  if (!name) throw wrongField(`${path}.name`, name, 'a text that is not empty');
  if (input_schema != null && !isFields(input_schema))
    throw wrongField(`${path}.input_schema`, input_schema, 'an object');
  const tool: Tool = { name };
  if (typeof description === 'string') tool.description = description;
  if (input_schema != null) tool.parameters = input_schema;
  if (typeof strict === 'boolean') tool.strict = strict;
  return tool;
}
