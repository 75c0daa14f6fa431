/** Fifty clients whose tools the model calls, all in the threads of one program. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { type CliStep, FakeCli } from 'drivebay/testing';
import type { Fields } from '../../../plugins/_shared/fields';
import { TempHome } from '../../setup/temp-home';
import { CLIENTS, SECONDS, ToolCrowd } from '../tool-crowd';
import { appServer, completed, delta, inThread, item, told, tokens } from './app-server-script';
import { HELLO } from './harness';

const home = new TempHome();
let cli: FakeCli;
const injected = new Map<string, unknown>();
/** The threads and the questions of the calls. */
const called = new Map<string, { threadId: string; number: string }>();
let calls = 0;

const numberIn = (value: unknown): string => /Question (\d+)/.exec(JSON.stringify(value))![1]!;
function done(number: string, value: unknown): CliStep[] {
  const text = `${number}: ${JSON.stringify(value)}`;
  return [delta(text), item({ type: 'agentMessage', id: 'msg_1', text }), tokens(7, 2), completed];
}

/** The model calls the tool for a question, and repeats a result. */
function play(params: Fields): CliStep[] {
  const threadId = String(params.threadId);
  const items = injected.get(threadId);
  if (items) {
    const output = (items as Fields[]).find(({ type }) => type === 'function_call_output')?.output;
    return done(numberIn(items), output);
  }
  const number = numberIn(params.input);
  const id = `call-${(calls += 1)}`;
  called.set(id, { threadId, number });
  return [
    told('rawResponseItem/completed', { item: { type: 'function_call', call_id: id } }),
    { id, method: 'item/tool/call', params: { callId: id, tool: 'look', arguments: { of: number } } },
    told('rawResponse/completed', { usage: { inputTokens: 7, outputTokens: 2 } }),
  ];
}

beforeAll(async () => {
  cli = await FakeCli.start({ name: 'codex' });
  cli.script(({ argv }) => (argv[0] === 'debug' ? [{ models: [{ slug: 'm' }] }] : HELLO));
  cli.converse(
    appServer({
      turn: ({ params = {} }) => play(params),
      other: ({ id, method, params = {}, result }) => {
        if (method === 'thread/inject_items') injected.set(String(params.threadId), params.items);
        const call = called.get(String(id));
        if (!result || !call) return undefined;
        return done(call.number, result.contentItems).map((step) => inThread(step, call.threadId));
      },
    }),
  );
  const entry = { name: 'codex', driver: 'codex', command: cli.command, default_model: 'm' };
  const limits = { max_concurrency: CLIENTS, max_queue: CLIENTS, grace_sec: 1 };
  home.configure(JSON.stringify({ version: '1', providers: [{ ...entry, ...limits }] }));
});

afterAll(async () => {
  await cli.close();
  home.remove();
});

const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: { of: {} } } } },
];

test(
  'every answer is right, or an honest error, and nothing is left',
  async () => {
    const crowd = new ToolCrowd(home, {
      ...{ model: 'codex', tools, killEveryMs: 5_000, living: () => cli.processes() },
      question: (number) => `Question ${number}`,
      isCall: (args, number) => args === `{"of":"${number}"}`,
      isRight: (text, number, value) => text.startsWith(`${number}: `) && text.includes(`"${value}"`),
    });
    await crowd.run();
    const { counts } = crowd;
    expect(counts.wrong).toEqual([]);
    expect(counts.right).toBeGreaterThan(SECONDS);
    expect(Math.min(counts.honest.length, counts.left)).toBeGreaterThan(0);
    await cli.until(() => cli.processes().length === 0);
    const scratch = join(home.directory, '.local/state/drivebay/scratch');
    expect(existsSync(scratch) ? readdirSync(scratch, { recursive: true }) : []).toEqual([]);
  },
  SECONDS * 1000 + 120_000,
);
