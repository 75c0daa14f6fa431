/** Fifty clients whose tools the model calls, while clients leave, programs die and the gateway is killed. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';
import { type CliStep, FakeCli } from 'drivebay/testing';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { asksFor, conversation, type SentLine } from './conversation';
import { isHelp } from './harness';
import { SESSION_HELP } from './help';
import {
  blockStop,
  calls,
  delta,
  init,
  messageDelta,
  messageStart,
  messageStop,
  result,
  resulted,
  said,
} from './lines';

const CLIENTS = 50;
/** For a longer run: `CROWD_SECONDS=300`. */
const SECONDS = Number(process.env.CROWD_SECONDS ?? 20);
const KILL_EVERY_MS = 700;
const RESTART_EVERY_MS = 7000;

const home = new TempHome();
const counts = { right: 0, wrong: [] as string[], honest: 0, left: 0 };
let cli: FakeCli;
let gateway: RunningGateway;
/** Settled while there is a gateway. */
let up = Promise.resolve();

const start = () => RunningGateway.start([], { env: home.environment() });

beforeAll(async () => {
  cli = await FakeCli.start({ name: 'claude' });
  cli.script((run) => (isHelp(run) ? [SESSION_HELP] : [init(), said('Cold.'), result('Cold.')]));
  cli.converse(conversation({ answer: answerOf, result: afterResult }));
  const entry = { name: 'claude', driver: 'claude-code', command: cli.command, default_model: 'm' };
  const limits = { max_concurrency: CLIENTS, max_queue: CLIENTS, grace_sec: 1, warm: false };
  home.configure(JSON.stringify({ version: '1', providers: [{ ...entry, ...limits }] }));
  gateway = await start();
});

afterAll(async () => {
  await gateway.stop();
  await cli.close();
  home.remove();
});

type Block = Record<string, unknown>;

/** The model calls the tool for a question, and repeats a result. */
function answerOf(line: SentLine, { lines }: { lines: string[] }): CliStep[] {
  const { content } = line.message!;
  const told = (Array.isArray(content) ? (content as Block[]) : []).find(({ type }) => type === 'tool_result');
  const number = /Question (\d+)/.exec(lines.join('\n'))![1]!;
  if (told) return done(`${number}: ${JSON.stringify(told.content)}`);
  const id = `toolu_${number}`;
  return [
    ...[messageStart(`msg_${number}`), delta('Looking.'), blockStop()],
    ...[...calls(id, 'look', { of: number }), asksFor(id, 'look', { of: number }), blockStop()],
    ...[messageDelta('tool_use'), messageStop()],
  ];
}

const afterResult = (id: string, content: Block[]): CliStep[] => [
  resulted(id, content),
  ...done(`${id.slice('toolu_'.length)}: ${JSON.stringify(content)}`),
];

const done = (text: string): CliStep[] => [
  ...[messageStart('msg_end'), delta(text), messageDelta('end_turn'), messageStop(), result(text, { num_turns: 2 })],
];

const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: { of: {} } } } },
];

/** One conversation: a question, a call, a result, an answer. */
async function converse(number: number): Promise<void> {
  const question = { role: 'user', content: `Question ${number}` } as const;
  const first = await ask([question], Math.random() < 0.1);
  const call = first?.tool_calls?.[0];
  if (!first || Math.random() < 0.1) return void counts.left++;
  if (call?.type !== 'function' || call.function.arguments !== `{"of":"${number}"}` || first.tool_calls!.length !== 1) {
    return void counts.wrong.push(`${number} called ${JSON.stringify(first)}`);
  }
  const value = `result ${number}`;
  const last = await ask(
    [question, first, { role: 'tool', tool_call_id: call.id, content: value }],
    Math.random() < 0.1,
  );
  if (!last) return void counts.left++;
  const isRight = last.content?.startsWith(`${number}: `) && last.content.includes(`"${value}"`);
  if (isRight) counts.right++;
  else counts.wrong.push(`${number} got ${JSON.stringify(last)}`);
}

/** An answer, streamed or whole; none to a client that leaves. */
async function ask(messages: OpenAI.ChatCompletionMessageParam[], leaves: boolean) {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
  const signal = leaves ? AbortSignal.timeout(Math.floor(Math.random() * 300)) : undefined;
  const body = { model: 'claude', messages, tools };
  const made =
    Math.random() < 0.5
      ? client.chat.completions.create(body, { signal })
      : client.chat.completions.stream(body, { signal }).finalChatCompletion();
  try {
    return (await made).choices[0]!.message;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

/** The program or the gateway was killed, and that is what the client is told. */
function isHonest(error: unknown): boolean {
  if (error instanceof OpenAI.APIConnectionError) return true;
  return (
    error instanceof Error && /was ended by (SIGKILL|a signal)|terminated|missing finish_reason/.test(error.message)
  );
}

let numbers = 0;

async function client(end: number): Promise<void> {
  while (Date.now() < end) {
    try {
      await converse(++numbers);
    } catch (error) {
      if (isHonest(error)) counts.honest++;
      else counts.wrong.push(String(error));
      await up;
    }
  }
}

async function restart(): Promise<void> {
  await gateway.stop('SIGKILL');
  gateway = await start();
}

function killOne(): void {
  const living = cli.processes();
  const victim = living[Math.floor(Math.random() * living.length)];
  try {
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

async function disturb(end: number): Promise<void> {
  for (let passed = 0; Date.now() < end; passed += KILL_EVERY_MS) {
    await pause(KILL_EVERY_MS);
    killOne();
    if (passed % RESTART_EVERY_MS >= KILL_EVERY_MS) continue;
    up = restart();
    await up;
  }
}

test(
  'every answer is right, or an honest error, and nothing is left',
  async () => {
    const end = Date.now() + SECONDS * 1000;
    await Promise.all([disturb(end), ...Array.from({ length: CLIENTS }, () => client(end))]);
    expect(counts.wrong).toEqual([]);
    expect(counts.right).toBeGreaterThan(SECONDS);
    expect(Math.min(counts.honest, counts.left)).toBeGreaterThan(0);
    await gateway.stop();
    await cli.until(() => cli.processes().length === 0);
    const scratch = join(home.directory, '.local/state/drivebay/scratch');
    expect(existsSync(scratch) ? readdirSync(scratch, { recursive: true }) : []).toEqual([]);
  },
  SECONDS * 1000 + 120_000,
);
