import type { Tool } from '../../../contract/api';
import { toTool } from '../../parse-tool';
import { nameAt } from '../../value-at';
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
      parsed.tools.push(toTool(nameAt(`${path}.name`, tool.name), tool, path, 'input_schema'));
    } else {
      parsed.left.push(path);
      if (tool.name != null) parsed.leftNames.add(tool.name);
    }
  });
  return parsed;
}
