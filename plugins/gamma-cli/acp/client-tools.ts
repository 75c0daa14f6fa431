import { basename } from 'node:path';
import type { ChatRequest, DriverContext, DriverFailure } from 'drivebay/plugin';
import { type ClientTools, namedTools } from '../../_shared/cli/client-tools/client-tools';
import type { Fields } from '../../_shared/fields';
import { TOOL_SERVER } from '../chat-folder';
import type { Cli } from '../cli';

/** What the program puts before the name of a tool, for its model. */
const PREFIX = `mcp_${TOOL_SERVER}_`;
const NAMES = { longest: 64 - PREFIX.length, valid: /^[a-zA-Z_][a-zA-Z0-9_-]*$/ };
/** What the program adds to each schema, and to the calls of its model. */
const OF_THE_PROGRAM = 'wait_for_previous';

/** Refuses what cannot be done. */
export function clientTools(request: ChatRequest, context: Pick<DriverContext, 'error'>): ClientTools {
  const named = namedTools(request, context, NAMES);
  return request.toolChoice?.type === 'none' ? { ...named, tools: [] } : named;
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
