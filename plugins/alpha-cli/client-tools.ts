import type { ChatRequest, DriverContext, Part, ToolResultPart } from 'drivebay/plugin';
import { checkResults } from '../_shared/cli/client-tools/check-results';
import { offeredTools } from '../_shared/cli/client-tools/offered-tools';
import type { Fields } from '../_shared/fields';
import { readDataUrl } from '../_shared/http/message-parts';
import { ToolNames } from '../_shared/tool-names';
import { LONGEST_RESULT } from './tool-server';

/** One name means something to the program, whoever has the tool. */
const NAMES = { longest: 64, valid: /^(?!ToolSearch$)[a-zA-Z0-9_-]+$/ };
/** From here on versions cut a description. */
const LONGEST_DESCRIPTION = 2_048;

/** What a client wants of its tools, as the program takes it. */
export interface ClientTools {
  /** The request, with the names that the program has for the tools. */
  request: ChatRequest;
  names: ToolNames | undefined;
  /** As a server lists them. Empty where the client has none. */
  tools: Fields[];
  /** Fields for the body of each request of the program, as JSON. */
  extraBody: string;
  /** Whether the model must call a tool. That excludes thoughts. */
  isForced: boolean;
  ignored: string[];
}

export const NOTHING_EXTRA = '{}';

/** Refuses what cannot be done. */
export function clientTools(request: ChatRequest, context: Pick<DriverContext, 'error'>): ClientTools {
  checkResults(request.messages, context);
  const names = ToolNames.of(request, NAMES);
  const named = names?.apply(request) ?? request;
  const { tools, ignored } = offeredTools(named, context, LONGEST_DESCRIPTION);
  const choice = tools.length > 0 ? toChoice(named, context) : undefined;
  return {
    request: named,
    names,
    tools: tools.map((tool) => ({
      ...tool,
      // Otherwise the program would wait for one result before it tells of the next call.
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/maxResultSizeChars': LONGEST_RESULT },
    })),
    extraBody: choice ? JSON.stringify({ tool_choice: choice }) : NOTHING_EXTRA,
    isForced: choice?.type === 'any' || choice?.type === 'tool',
    ignored,
  };
}

/** For a provider whose clients have none. */
export function withoutTools(request: ChatRequest): ClientTools {
  return { request, names: undefined, tools: [], extraBody: NOTHING_EXTRA, isForced: false, ignored: [] };
}

/** Whether only a program that holds a conversation can serve the request: a prompt takes neither tools nor images. */
export function needsSession({ request: { messages }, tools }: ClientTools): boolean {
  if (tools.length > 0) return true;
  const isImage = ({ type }: Part): boolean => type === 'image';
  return messages.some(({ parts }) =>
    parts.some((part) => isImage(part) || (part.type === 'tool_result' && part.content.some(isImage))),
  );
}

function toChoice({ toolChoice, extra }: ChatRequest, { error }: Pick<DriverContext, 'error'>): Fields | undefined {
  const single = extra.parallel_tool_calls === false ? { disable_parallel_tool_use: true } : undefined;
  switch (toolChoice?.type) {
    case undefined:
    case 'auto':
      return single && { type: 'auto', ...single };
    case 'none':
      return { type: 'none' };
    case 'required':
      return { type: 'any', ...single };
    case 'tool':
      return { type: 'tool', name: toolChoice.name, ...single };
    case 'other':
      throw error('invalid_request', 'this tool_choice has no equivalent: use auto, none, required or one function', {
        param: 'tool_choice',
      });
  }
}

/** Whether a program that waits can hand these to its model whole. */
export function fitsProgram(results: readonly ToolResultPart[]): boolean {
  return results.every((result) => {
    const blocks = resultBlocks(result);
    if (!blocks) return false;
    const length = blocks.reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
    return length <= LONGEST_RESULT;
  });
}

/** A result as a server gives it. Undefined where a part has no form there. */
export function resultBlocks({ content }: ToolResultPart): Fields[] | undefined {
  const blocks: Fields[] = [];
  for (const part of content) {
    const image = part.type === 'image' ? readDataUrl(part.url) : undefined;
    if (part.type === 'text') blocks.push({ type: 'text', text: part.text });
    else if (image) blocks.push({ type: 'image', data: image.data, mimeType: image.mediaType });
    else return undefined;
  }
  return blocks;
}
