import { basename } from 'node:path';
import type { ChatRequest, DriverContext, DriverFailure, ToolResultPart } from 'drivebay/plugin';
import { checkResults } from '../../_shared/cli/client-tools/check-results';
import { offeredTools, type OfferedTool } from '../../_shared/cli/client-tools/offered-tools';
import type { Fields } from '../../_shared/fields';
import { readDataUrl } from '../../_shared/http/message-parts';
import { ToolNames } from '../../_shared/tool-names';
import { TOOL_SERVER } from '../chat-folder';
import type { Cli } from '../cli';

/** What the program puts before the name of a tool, for its model. */
const PREFIX = `mcp_${TOOL_SERVER}_`;
const NAMES = { longest: 64 - PREFIX.length, valid: /^[a-zA-Z_][a-zA-Z0-9_-]*$/ };
/** What the program adds to each schema, and to the calls of its model. */
const OF_THE_PROGRAM = 'wait_for_previous';

/** What a client wants of its tools, as the program takes it. */
export interface ClientTools {
  /** The request, with the names that the program has for the tools. */
  request: ChatRequest;
  names: ToolNames | undefined;
  tools: OfferedTool[];
  ignored: string[];
}

/** Refuses what cannot be done. */
export function clientTools(request: ChatRequest, context: Pick<DriverContext, 'error'>): ClientTools {
  checkResults(request.messages, context);
  const names = ToolNames.of(request, NAMES);
  const named = names?.apply(request) ?? request;
  const { tools, ignored } = offeredTools(named, context);
  return { request: named, names, tools: request.toolChoice?.type === 'none' ? [] : tools, ignored };
}

/** For a provider whose clients have none. */
export function withoutTools(request: ChatRequest): ClientTools {
  return { request, names: undefined, tools: [], ignored: [] };
}

/** Whether only a session can serve the request: a prompt takes no tools. */
export function needsSession({ request: { messages }, tools }: ClientTools): boolean {
  return tools.length > 0 || messages.some(({ role }) => role === 'tool');
}

/** The name that a call of an earlier turn has upstream. */
export function upstreamName(name: string): string {
  return PREFIX + name;
}

/** The arguments of a call, for the client. */
export function argumentsFor(args: Fields, { tools }: Pick<ClientTools, 'tools'>, name: string): string {
  const tool = tools.find((each) => each.name === name);
  const { [OF_THE_PROGRAM]: waits, ...own } = args;
  const isOwn = waits !== undefined && OF_THE_PROGRAM in ((tool?.inputSchema.properties as Fields | undefined) ?? {});
  return JSON.stringify(isOwn ? args : own);
}

/** A result as a server of tools gives it. Undefined where a part has no form there. */
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

/** Only a session can have tools of a client. */
export function refuseTools(
  { error, provider }: Pick<DriverContext, 'error' | 'provider'>,
  { path }: Cli,
): DriverFailure {
  const message = `${basename(path)} took no session, which the tools of a client need`;
  return error('upstream', message, {
    kind: 'spawn_failed',
    hint: `update it; without arguments of extra_args that the log warns of; or set client_tools: false for ${provider}`,
  });
}
