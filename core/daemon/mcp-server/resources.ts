import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ProcessSummary } from '../../record/process-summary';
import { processEventSchema } from '../control/protocol';
import { ANSWER_URI, type LongAnswers } from './long-answers';
import type { McpHost } from './mcp-host';
import { seenProcess, seenProcesses } from './seen-processes';
import { describeFailure } from './tool-result';

const TRACE_URI = 'drivebay://process/{pid}/trace';
const MOST_LISTED = 20;

/** The traces of agent processes, and answers that were too long for a result. */
export function addResources(server: McpServer, host: McpHost, long: LongAnswers): void {
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
    async ({ href: uri }, { pid }) => {
      const text = await readTrace(host, String(pid)).catch((error: unknown) => {
        throw new Error(describeFailure(error));
      });
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    },
  );
  server.registerResource(
    'answer',
    new ResourceTemplate(`${ANSWER_URI}{id}`, { list: undefined }),
    { title: 'Whole answer', description: 'An answer that was cut in the result of a tool.', mimeType: 'text/plain' },
    ({ href: uri }, { id }) => {
      const text = long.find(String(id));
      if (text === undefined) throw new Error(`there is no answer ${String(id)} any more: ask again`);
      return { contents: [{ uri, mimeType: 'text/plain', text }] };
    },
  );
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
  const events = [];
  for await (const line of client.stream('GET', `/v1/processes/${view.uuid}/events`))
    events.push(processEventSchema.parse(line));
  return JSON.stringify({ ...view, events }, undefined, 2);
}
