import type { Tool } from '../../../contract/api';
import { isFields } from '../../../fields';
import { wrongField } from '../../read-fields';
import type { RequestFields } from './request-fields';

type WireTool = NonNullable<RequestFields['tools']>[number];

interface ParsedTools {
  tools: Tool[];
  /** The places of those that the backend itself would have to run, such as a web search. */
  left: string[];
  leftNames: Set<unknown>;
}

/** Reads the tools of the client. */
export function parseTools(wire: readonly WireTool[]): ParsedTools {
  const parsed: ParsedTools = { tools: [], left: [], leftNames: new Set() };
  wire.forEach((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.type == null || tool.type === 'custom') {
      parsed.tools.push(toTool(tool, path));
    } else {
      parsed.left.push(path);
      if (tool.name != null) parsed.leftNames.add(tool.name);
    }
  });
  return parsed;
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
