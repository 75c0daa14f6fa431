/** Fifty clients whose tools the model calls, each in a program of its own. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { type CliStep, FakeCli } from 'drivebay/testing';
import { TempHome } from '../../setup/temp-home';
import { CLIENTS, SECONDS, ToolCrowd } from '../tool-crowd';
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

const home = new TempHome();
let cli: FakeCli;

beforeAll(async () => {
  cli = await FakeCli.start({ name: 'claude' });
  cli.script((run) => (isHelp(run) ? [SESSION_HELP] : [init(), said('Cold.'), result('Cold.')]));
  cli.converse(conversation({ answer: answerOf, result: afterResult }));
  const entry = { name: 'claude', driver: 'claude-code', command: cli.command, default_model: 'm' };
  const limits = { max_concurrency: CLIENTS, max_queue: CLIENTS, grace_sec: 1, warm: false };
  home.configure(JSON.stringify({ version: '1', providers: [{ ...entry, ...limits }] }));
});

afterAll(async () => {
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

test(
  'every answer is right, or an honest error, and nothing is left',
  async () => {
    const crowd = new ToolCrowd(home, {
      ...{ model: 'claude', tools, killEveryMs: 700, living: () => cli.processes() },
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
