import type { ChatRequest, DriverContext, ToolResultPart } from 'drivebay/plugin';
import {
  type ClientTools as OfferedTools,
  namedTools,
  resultBlocks,
  withoutTools,
} from '../_shared/cli/client-tools/client-tools';
import type { Fields } from '../_shared/fields';
import { furtherFields } from './further-fields';
import { LONGEST_RESULT } from './tool-server';

/** Names of a client's tools that break the program: one of its own tools, and what every object of its language has. */
const TAKEN = ['ToolSearch', ...Object.getOwnPropertyNames(Object.prototype)];
const NAMES = { longest: 64, valid: new RegExp(`^(?!(?:${TAKEN.join('|')})$)[a-zA-Z0-9_-]+$`) };
/** From here on versions cut a description. */
const LONGEST_DESCRIPTION = 2_048;

/** The client's settings for tools and the answer, and how the program gets them. */
export interface ClientTools extends Omit<OfferedTools, 'tools'> {
  /** As a server lists them. Empty where the client has none. */
  tools: Fields[];
  /** Fields for the body of each request of the program, as JSON. */
  extraBody: string;
  /** Whether the model must call a tool. That excludes thoughts. */
  isForced: boolean;
  /** Whether the answer must keep to a schema. */
  hasSchema: boolean;
}

/** Refuses what cannot be done. `takesTools`: whether clients of the provider may have tools. */
export function clientTools(
  request: ChatRequest,
  context: Pick<DriverContext, 'error'>,
  { isChat, takesTools, sampling }: { isChat: boolean; takesTools: boolean; sampling: Fields },
): ClientTools {
  const further = furtherFields(request, { isChat, takesTools, sampling });
  const named = takesTools ? namedTools(request, context, NAMES, LONGEST_DESCRIPTION) : withoutTools(request);
  const { tools } = named;
  const choice = tools.length > 0 ? toChoice(named.request, context) : undefined;
  return {
    ...named,
    tools: tools.map((tool) => ({
      ...tool,
      // Otherwise the program would wait for one result before it tells of the next call.
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/maxResultSizeChars': LONGEST_RESULT },
    })),
    ignored: [...named.ignored, ...further.ignored],
    extraBody: JSON.stringify({ ...(choice && { tool_choice: choice }), ...further.fields }),
    isForced: choice?.type === 'any' || choice?.type === 'tool',
    hasSchema: further.fields.output_config !== undefined,
  };
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
