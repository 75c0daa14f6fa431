import type { ChatRequest, DriverContext, Part, ToolResultPart } from 'drivebay/plugin';
import { checkResults } from '../_shared/cli/client-tools/check-results';
import { offeredTools, type OfferedTool } from '../_shared/cli/client-tools/offered-tools';
import type { Fields } from '../_shared/fields';
import { ToolNames } from '../_shared/tool-names';

/** The program takes no names that look like those of MCP servers. */
const NAMES = { longest: 64, valid: /^(?!mcp__)[a-zA-Z0-9_-]+$/ };

/** What a client wants of its tools, as the program takes it. */
export interface ClientTools {
  /** The request, with the names that the program has for the tools. */
  request: ChatRequest;
  names: ToolNames | undefined;
  tools: readonly OfferedTool[];
  ignored: string[];
}

/** Refuses what cannot be done. */
export function clientTools(request: ChatRequest, context: Pick<DriverContext, 'error'>): ClientTools {
  checkResults(request.messages, context);
  const names = ToolNames.of(request, NAMES);
  const named = names?.apply(request) ?? request;
  const { tools, ignored } = offeredTools(named, context);
  const { type } = request.toolChoice ?? {};
  if (tools.length > 0 && type !== undefined && type !== 'auto' && type !== 'none') {
    const message = 'codex lets its model choose whether to call a tool: use tool_choice auto or none';
    throw context.error('invalid_request', message, { param: 'tool_choice' });
  }
  return { request: named, names, tools: type === 'none' ? [] : tools, ignored };
}

/** What a thread is told of them. Without the end of each response it would not be known which calls are all. */
export function toolSettings(tools: ClientTools['tools']): Fields {
  if (tools.length === 0) return {};
  const dynamicTools = tools.map(({ description = '', ...tool }) => ({ type: 'function', ...tool, description }));
  return { dynamicTools, experimentalRawEvents: true };
}

/** For a provider whose clients have none. */
export function withoutTools(request: ChatRequest): ClientTools {
  return { request, names: undefined, tools: [], ignored: [] };
}

/** Whether only a thread can serve the request: a prompt takes neither tools nor images. */
export function needsThread({ request: { messages }, tools }: ClientTools): boolean {
  if (tools.length > 0) return true;
  const isImage = ({ type }: Part): boolean => type === 'image';
  return messages.some(({ parts }) =>
    parts.some((part) => isImage(part) || (part.type === 'tool_result' && part.content.some(isImage))),
  );
}

/** Whether a thread that waits can hand these to its model: of images it takes those that are there. */
export function fitsThread(results: readonly ToolResultPart[]): boolean {
  return results.every(({ content }) =>
    content.every((part) => part.type === 'text' || (part.type === 'image' && part.url.startsWith('data:'))),
  );
}
