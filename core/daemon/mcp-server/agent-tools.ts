import { resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { AgentTrust } from '../../config/agent-trust';
import { codeOf, UsageError } from '../../errors';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessSummary } from '../../record/process-summary';
import type { ProcessView } from '../../record/process-view';
import { type ControlClient } from '../client/control-client';
import { FollowedProcess } from '../client/followed-process';
import { factsOf, RUN } from './agent-run';
import { allowActing } from './allow-acting';
import { fitAnswer } from './fit-answer';
import type { McpHost } from './mcp-host';
import { Progress } from './progress';
import { isBelow, readableRoots, realFolder } from './roots';
import { seenProcess, seenProcesses } from './seen-processes';
import { type CallExtra, toResult, type ToolResult } from './tool-result';
import type { ToolTable } from './tool-table';

const MOST_LISTED = 50;

const INTENT = {
  intent: z.string().min(1).describe('What the agent has to do, in words. It sees nothing else of this conversation.'),
  provider: z.string().optional().describe('A provider or a route; absent: as the configuration says.'),
  model: z.string().optional().describe('The model of that provider.'),
  reasoningEffort: z.string().optional(),
  folder: z.string().optional().describe('The folder to work in. Absent: the workspace.'),
  wait: z.boolean().default(true).describe('False: return at once; the tool `result` has the answer later.'),
};

const ROW = z.object({
  pid: z.number(),
  state: z.string(),
  provider: z.string().optional(),
  model: z.string().optional(),
  intent: z.string(),
  steps: z.number(),
  costUsd: z.number(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
});

type Intent = z.output<z.ZodObject<typeof INTENT>>;

/** `run_agent`, `processes` and `result`. */
export function addAgentTools(tools: ToolTable, server: McpServer, host: McpHost): void {
  tools.add(
    'run_agent',
    {
      title: 'Run an agent',
      description:
        'Lets an agent of Drivebay work on a task: with an agent CLI it can read and change files and run programs. ' +
        'Waits for its end, or returns at once.',
      inputSchema: INTENT,
      outputSchema: RUN,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    (given, extra) => runAgent(server, host, given, extra),
  );
  tools.add(
    'processes',
    {
      title: 'List agents',
      description: 'Lists the agent processes of Drivebay, the latest first.',
      inputSchema: { all: z.boolean().default(false).describe('Also those that have ended.') },
      outputSchema: { processes: z.array(ROW) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ all }) => listProcesses(host, all),
  );
  tools.add(
    'result',
    {
      title: 'Result of an agent',
      description: 'Returns the state and the answer of an agent process.',
      inputSchema: {
        pid: z.union([z.number(), z.string()]),
        wait: z.boolean().default(false).describe('Wait until the agent has ended.'),
      },
      outputSchema: RUN,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ pid, wait }, extra) => {
      const { client } = await host.open();
      const { uuid } = await seenProcess(host, client, pid);
      const path = `/v1/processes/${uuid}/events`;
      const events = client.stream<ProcessEvent>('GET', path, { query: { follow: wait }, signal: extra.signal });
      return follow(events, extra);
    },
  );
}

async function runAgent(
  server: McpServer,
  host: McpHost,
  { wait, folder: given, intent, provider, model, reasoningEffort: effort }: Intent,
  extra: CallExtra,
): Promise<ToolResult> {
  const folder = await folderFor(server, host, given);
  const { client } = await host.open();
  const trust = new AgentTrust(folder);
  const start = (askFirst: boolean): Promise<ToolResult> => {
    const request = { intent, provider, model, effort, workingDirectory: folder, askFirst };
    const body = { ...request, client: host.client, project: host.ref(folder), attach: wait };
    if (!wait) return startDetached(client, body);
    const events = client.stream<ProcessEvent>('POST', '/v1/processes', { body, signal: extra.signal });
    return follow(events, extra);
  };
  try {
    return await start(!trust.isGiven);
  } catch (error) {
    if (codeOf(error) !== 'ask_first') throw error;
    await allowActing(server, host, trust, error);
    return await start(false);
  }
}

async function startDetached(client: ControlClient, body: object): Promise<ToolResult> {
  const { pid, uuid } = await client.call<Pick<ProcessView, 'pid' | 'uuid'>>('POST', '/v1/processes', {
    body,
  });
  const run = { pid, uuid, state: 'created', steps: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const text = `process ${pid} works in the background; its answer: the tool \`result\` with pid ${pid}; to end it: drivebay kill ${pid}`;
  return toResult(text, run);
}

/** Reads the events of a process to their end. */
async function follow(events: AsyncIterable<ProcessEvent>, extra: CallExtra): Promise<ToolResult> {
  const run = new FollowedProcess();
  const progress = new Progress(extra, () => run.progress || 'starts');
  try {
    for await (const event of events) {
      run.take(event);
      progress.note();
    }
  } finally {
    progress.close();
  }
  extra.signal.throwIfAborted();
  if (!run.view) throw new UsageError('the process has no record', 'the tool `processes` lists those that have one');
  const facts = factsOf(run.view);
  const { text: answer, truncated } = fitAnswer(run.answer);
  const isFailed = facts.state === 'failed' || facts.state === 'killed';
  const head = `process ${facts.pid}: ${facts.state}`;
  const text = facts.state === 'done' ? answer : [head, facts.error, answer].filter(Boolean).join('\n');
  const result = toResult(text, { ...facts, answer, ...(truncated && { truncated }) });
  return isFailed ? { ...result, isError: true } : result;
}

async function listProcesses(host: McpHost, all: boolean): Promise<ToolResult> {
  const processes = await seenProcesses(host, all);
  const rows = processes.slice(-MOST_LISTED).reverse().map(toRow);
  const lines = rows.map(({ pid, state, provider, intent }) => [pid, state, provider ?? '-', intent].join('  '));
  // Of those that have run, some may be unreadable, and others not for this client.
  const none = all ? 'there is no process to list' : 'no process is running';
  return toResult(lines.join('\n') || none, { processes: rows });
}

function toRow({ pid, state, provider, model, intent, steps, costUsd, createdAt, endedAt }: ProcessSummary) {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return { pid, state, provider, model, intent, steps, costUsd, createdAt: time(createdAt)!, endedAt: time(endedAt) };
}

/** Where the agent works: below a root of the client, or where the server was started. A real path: trust goes by it. */
async function folderFor(server: McpServer, host: McpHost, given: string | undefined): Promise<string> {
  const { workingDirectory } = host.ref();
  const own = realFolder(workingDirectory)[0] ?? workingDirectory;
  const roots = await readableRoots(server, host.bounds);
  if (given === undefined) return roots.length === 0 || roots.some((root) => isBelow(root, own)) ? own : roots[0]!;
  if (given.includes('\0')) throw new UsageError('no folder has a NUL byte in its path', 'name a folder that is there');
  const allowed = [...new Set([...roots, own])];
  const named = resolve(roots[0] ?? own, given);
  const folder = realFolder(named)[0];
  if (allowed.some((root) => isBelow(root, folder ?? named))) {
    if (folder !== undefined) return folder;
    throw new UsageError(`there is no folder ${given}`, `name one that is there, below ${allowed.join(', ')}`);
  }
  const places = allowed.join(', ');
  throw new UsageError(`${given} is outside of the folders that agents may work in: ${places}`, host.howToAllow);
}
