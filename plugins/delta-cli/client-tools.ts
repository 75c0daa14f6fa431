import type { ChatRequest, DriverContext, ToolResultPart } from 'drivebay/plugin';
import { type ClientTools, namedTools } from '../_shared/cli/client-tools/client-tools';
import type { Fields } from '../_shared/fields';

/** The program refuses names that look like those of MCP servers, and silently leaves out tools with names of its shell. */
const NAMES = { longest: 64, valid: /^(?!mcp__|(?:mcp|exec_command|shell_command)$)[a-zA-Z0-9_-]+$/ };

/** Refuses what cannot be done. */
export function clientTools(request: ChatRequest, context: Pick<DriverContext, 'error'>): ClientTools {
  const named = namedTools(request, context, NAMES);
  const { type } = request.toolChoice ?? {};
  if (named.tools.length > 0 && type !== undefined && type !== 'auto' && type !== 'none') {
    const message = 'codex lets its model choose whether to call a tool: use tool_choice auto or none';
    throw context.error('invalid_request', message, { param: 'tool_choice' });
  }
  return type === 'none' ? { ...named, tools: [] } : named;
}

/** The words about tools that a thread gets. Without the end of each response the driver would not know when all calls are there. */
export function toolSettings(tools: ClientTools['tools']): Fields {
  if (tools.length === 0) return {};
  const dynamicTools = tools.map(({ description = '', ...tool }) => ({ type: 'function', ...tool, description }));
  return { dynamicTools, experimentalRawEvents: true };
}

/** The program wants strict schemas, as its API does: every object names all of its properties, and takes no others. */
export function strictSchema({ responseFormat: format }: ChatRequest): Fields | undefined {
  return format?.type === 'json_schema' && format.strict === true ? format.schema : undefined;
}

/** Whether a thread that waits can hand these to its model: of images it takes those that are there. */
export function fitsThread(results: readonly ToolResultPart[]): boolean {
  return results.every(({ content }) =>
    content.every((part) => part.type === 'text' || (part.type === 'image' && part.url.startsWith('data:'))),
  );
}
