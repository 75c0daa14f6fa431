import { basename } from 'node:path';
import type { ChatRequest, DriverContext, DriverFailure, ToolResultPart } from 'drivebay/plugin';
import { type ClientTools, namedTools, resultBlocks } from '../../_shared/cli/client-tools/client-tools';
import type { Fields } from '../../_shared/fields';
import { TOOL_SERVER } from '../chat-folder';
import type { Cli } from '../cli';

/** What the program puts before the name of a tool, for its model. */
const PREFIXES = { gemini: `mcp_${TOOL_SERVER}_`, qwen: `mcp__${TOOL_SERVER}__` };
/** The programs shorten a name of 64 characters, each in a way of its own. */
const LONGEST_NAME = 63;
/** With a name that every object of its language has, Qwen Code leaves out all tools. */
const TAKEN = Object.getOwnPropertyNames(Object.prototype).join('|');
const VALID_NAME = new RegExp(`^(?!(?:${TAKEN})$)[a-zA-Z_][a-zA-Z0-9_-]*$`);
/** In characters. Qwen Code cuts the result of a call that is longer; a session that it loads may hold any. */
const LONGEST_QWEN_RESULT = 200_000;
/** What the program adds to each schema, and to the calls of its model. */
const OF_THE_PROGRAM = 'wait_for_previous';

/** Refuses what cannot be done. */
export function clientTools(
  request: ChatRequest,
  context: Pick<DriverContext, 'error'>,
  dialect: Cli['dialect'],
): ClientTools {
  const rule = { longest: LONGEST_NAME - PREFIXES[dialect].length, valid: VALID_NAME };
  const named = namedTools(request, context, rule);
  if (request.toolChoice?.type === 'other' && named.tools.length > 0) {
    const message = 'this tool_choice has no equivalent: use auto or none';
    throw context.error('invalid_request', message, { param: 'tool_choice' });
  }
  return request.toolChoice?.type === 'none' ? { ...named, tools: [] } : named;
}

/** Whether only a session can serve the request: a prompt takes no tools. */
export function needsSession({ request: { messages }, tools }: ClientTools): boolean {
  return tools.length > 0 || messages.some(({ role }) => role === 'tool');
}

/** The name that a call of an earlier turn has upstream. */
export function upstreamName(name: string, dialect: Cli['dialect']): string {
  return PREFIXES[dialect] + name;
}

/** The arguments of a call, for the client. */
export function argumentsFor(args: Fields, { tools }: Pick<ClientTools, 'tools'>, name: string): string {
  const tool = tools.find((each) => each.name === name);
  const { [OF_THE_PROGRAM]: waits, ...own } = args;
  const isOwn = waits !== undefined && OF_THE_PROGRAM in ((tool?.inputSchema.properties as Fields | undefined) ?? {});
  return JSON.stringify(isOwn ? args : own);
}

/** A result as a server of tools gives it. Undefined where a part has no form there, or the program would lose it. */
export function blocksFor(result: ToolResultPart, dialect: Cli['dialect']): Fields[] | undefined {
  const isLost = dialect === 'qwen' && !result.content.every((part) => part.type === 'text');
  const length = result.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  return isLost || (dialect === 'qwen' && length > LONGEST_QWEN_RESULT) ? undefined : resultBlocks(result);
}

/**
 * What a server of tools answers to a call. Gemini CLI reads a text that is JSON into `structuredContent` where there is none, and
 * where this makes no object its model gets an error in place of the result.
 */
export function toolResult(content: readonly Fields[], dialect: Cli['dialect']): Fields {
  return dialect === 'gemini' ? { content, structuredContent: {} } : { content };
}

/** Only a session can have tools of a client. `isUnable`: no session of this program and these settings can; else one failed. */
export function refuseTools(
  { error, provider }: Pick<DriverContext, 'error' | 'provider'>,
  { path, dialect, reachesTools }: Cli,
  isUnable: boolean,
): DriverFailure {
  const isOld = dialect === 'qwen' && !reachesTools;
  const message = `${basename(path)} ${isOld ? 'cannot have the tools of a client before 0.24' : 'took no session, which the tools of a client need'}`;
  const how = isOld
    ? 'update it, which needs Node.js 22'
    : 'update it, and remove the arguments of extra_args that the log warns of';
  const hint = `${how}; or set client_tools: false for ${provider}`;
  return isUnable
    ? error('invalid_request', message, { param: 'tools', hint })
    : error('upstream', message, { kind: 'spawn_failed', hint });
}
