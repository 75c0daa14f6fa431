import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { quote } from '../../config/describe-found';
import { UsageError } from '../../errors';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessSummary } from '../../record/process-summary';
import type { McpHost } from './mcp-host';
import { seenProcess, seenProcesses } from './seen-processes';
import { describeFailure } from './tool-result';

const TRACE_URI = 'drivebay://process/{pid}/trace';
const MOST_LISTED = 20;
const TRACE = /^drivebay:\/\/process\/([^/]+)\/trace$/;
/** As the protocol has them. */
const NO_RESOURCE = -32_002;
const FAILED = -32_603;

const readSchema = z.object({
  method: z.literal('resources/read'),
  params: z.looseObject({ uri: z.string().catch('') }),
});

/** The traces of agent processes. */
export function addResources(server: McpServer, host: McpHost): void {
  const read = (uri: string) => readResource(host, uri);
  const list = async () => {
    const recent = await recentProcesses(host);
    const resources = recent.map(({ pid, state, intent }) => ({
      uri: TRACE_URI.replace('{pid}', String(pid)),
      name: `process ${pid}`,
      description: `${state}: ${intent}`,
      mimeType: 'application/json',
    }));
    return { resources };
  };
  const complete = { pid: async () => (await recentProcesses(host)).map(({ pid }) => String(pid)) };
  server.registerResource(
    'trace',
    new ResourceTemplate(TRACE_URI, { list, complete }),
    { title: 'Trace of an agent', description: 'What a process did, step by step.', mimeType: 'application/json' },
    ({ href }) => read(href),
  );
  server.server.setRequestHandler(readSchema, ({ params }) => read(params.uri));
}

/** The resource behind an address. Rejects with words of ours: the SDK has none that say what to do. */
async function readResource(host: McpHost, uri: string): Promise<ReadResourceResult> {
  try {
    const [, pid] = TRACE.exec(uri) ?? [];
    if (pid === undefined) throw new UsageError(`there is no resource ${quote(uri)}`, `resources: ${TRACE_URI}`);
    return { contents: [{ uri, mimeType: 'application/json', text: await readTrace(host, pid) }] };
  } catch (error) {
    const code = error instanceof UsageError ? NO_RESOURCE : FAILED;
    throw Object.assign(new Error(describeFailure(error)), { code });
  }
}

/** The latest first. */
async function recentProcesses(host: McpHost): Promise<ProcessSummary[]> {
  const processes = await seenProcesses(host, true);
  return processes.slice(-MOST_LISTED).reverse();
}

/** As `drivebay trace PID --json` prints it. */
async function readTrace(host: McpHost, pid: string): Promise<string> {
  const { client } = await host.open();
  const view = await seenProcess(host, client, pid);
  const events: ProcessEvent[] = [];
  for await (const event of client.stream<ProcessEvent>('GET', `/v1/processes/${view.uuid}/events`)) events.push(event);
  return JSON.stringify({ ...view, events }, undefined, 2);
}
