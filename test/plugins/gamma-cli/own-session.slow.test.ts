import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CliStep } from 'drivebay/testing';
import type { Session } from 'drivebay/plugin';
import type { Options } from '../../../plugins/gamma-cli/environment';
import { tempFolder } from '../../setup/temp-folder';
import { stateIn, user, valueAfter } from '../cli-harness';
import { says as say } from '../messages';
import { start } from './harness';

const ID = 'abf705b3-7d31-48c3-a523-de0601bb6c34';
const OTHER = 'abf705b3-0000-48c3-a523-de0601bb6c34';
const FLAGS = ['--session-file', '--resume'];
type Program = 'gemini' | 'qwen';

let harness: Awaited<ReturnType<typeof start>>;
let home: string;
const before = process.env;

beforeEach(() => {
  home = tempFolder();
  process.env = { ...before, GEMINI_CLI_HOME: home, QWEN_HOME: join(home, '.qwen') };
});
afterEach(async () => {
  process.env = before;
  await harness.close();
});

const answers: Record<Program, (text: string, id?: string) => CliStep[]> = {
  gemini: (text, id = ID) => [
    { type: 'init', session_id: id, model: 'm' },
    { type: 'message', role: 'assistant', content: text, delta: true },
    { type: 'result', status: 'success', stats: {} },
  ],
  // What the program asks for itself is in the total alone.
  qwen: (text, id = ID) => {
    const usage = { input_tokens: 1000, output_tokens: 12 };
    const total = text === 'Again' ? tokens(4500, 50, 2600) : tokens(2000, 24, 900);
    return [
      { type: 'system', subtype: 'init', session_id: id },
      { type: 'assistant', message: { content: [{ type: 'text', text }], usage } },
      { type: 'result', subtype: 'success', is_error: false, result: text, usage: total },
    ];
  },
};

/** The total of a session of Qwen Code. */
function tokens(input: number, output: number, cached: number) {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached };
}

const record = (type: string, id: string, content: unknown, more: object = {}) => ({
  ...{ id, type, content, timestamp: new Date().toISOString(), message: { parts: content } },
  ...more,
});
const response = { functionResponse: { id: 'call_1', name: 'run', response: { output: 'seen' } } };

/** What the program has written of a conversation, as it does: the message with a call comes twice, its result too. */
function turns(program: Program): object[] {
  const asked = record('user', '1', [{ text: ' /one' }]);
  if (program === 'qwen') return [asked, record('assistant', '4', [{ text: 'Hello' }]), { type: 'system' }];
  const call = { id: 'call_1', name: 'run', args: {} };
  return [
    { sessionId: ID, projectHash: 'x', kind: 'main' },
    { $set: { messages: [record('user', '0', [{ text: '<session_context>' }])] } },
    asked,
    record('gemini', '2', '', { toolCalls: [call] }),
    record('gemini', '2', '', { toolCalls: [{ ...call, result: [response] }] }),
    record('user', '3', [response]),
    { $set: { lastUpdated: 'now' } },
    record('gemini', '4', 'Hello'),
  ];
}

function write(program: Program, lines: object[] = turns(program), id = ID): string {
  const name = program === 'gemini' ? `session-2026-11-23T13-23-${id.slice(0, 8)}.jsonl` : `${id}.jsonl`;
  const file = join(home, program === 'gemini' ? '.gemini/tmp/work' : '.qwen/projects/-work', 'chats', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const MESSAGES = [say('system', 'Be brief.'), user('/one'), say('assistant', 'Hello'), user('/two')];

/** The first process, at the end of which its program writes these lines. */
async function begin(
  program: Program,
  { lines, options = {}, environment = {} }: Begin = {},
): Promise<{ session: Session; file: string }> {
  harness = await start(options, environment, program);
  let file = '';
  harness.script(() => {
    file = write(program, lines ?? turns(program));
    return answers[program]('Hello');
  });
  const [state] = stateIn(await harness.chat({ messages: MESSAGES.slice(0, 2) }, { workspace: harness.workspace }));
  return { session: { state: state!, holds: 3 }, file };
}

interface Begin {
  lines?: object[];
  options?: Partial<Options>;
  environment?: Record<string, string>;
}

const goOn = (session: Session) => harness.chat({ messages: MESSAGES }, { workspace: harness.workspace, session });

test('Gemini CLI goes on in a copy of its session, in which each result of a tool stands once', async () => {
  const { session, file } = await begin('gemini');
  const own = readFileSync(file, 'utf8');
  let copy: { sessionId?: string; type?: string; content?: { text?: string }[]; toolCalls?: unknown[] }[] = [];
  harness.script(({ argv }) => {
    const lines = readFileSync(valueAfter(argv, '--session-file')!, 'utf8').trim().split('\n');
    copy = lines.map((line) => JSON.parse(line) as (typeof copy)[number]);
    return answers.gemini('Again', OTHER);
  });
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'meta', warm: 'resumed' });
  expect(stateIn(events)).toMatchObject([{ id: OTHER }]);
  expect(harness.chats.at(-1)!.stdin).toBe(' /two');
  expect(copy.map(({ type }) => type)).toEqual([undefined, 'user', 'user', 'gemini', 'gemini']);
  expect(copy[0]).toMatchObject({ sessionId: ID });
  // The program leaves out what looks like a command.
  expect(copy[2]!.content![0]!.text).toBe('The user says:\n\n /one');
  expect(copy[3]!.toolCalls).toMatchObject([{ id: 'call_1', result: [response] }]);
  expect(readFileSync(file, 'utf8')).toBe(own);
  await harness.driver.close();
  expect(readdirSync(await harness.open.context.scratch())).toEqual([]);
  expect(harness.traced).toContainEqual({ event: 'gamma_cli.session', fields: { resumed: true } });
});

test('Qwen Code goes on in its session by its id, and its tokens are counted once', async () => {
  const { session } = await begin('qwen');
  harness.script(answers.qwen('Again'));
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'meta', warm: 'resumed' });
  const usage = { type: 'usage', inputTokens: 2500, outputTokens: 26, cachedInputTokens: 1700 };
  expect(events).toContainEqual(expect.objectContaining(usage));
  const { argv, stdin } = harness.chats.at(-1)!;
  expect([valueAfter(argv, '--resume'), stdin]).toEqual([ID, ' /two']);
});

test('it goes on there after a change of a setting that chooses nothing, also in a file with comments', async () => {
  const choose = (theme: string) =>
    writeFileSync(join(home, '.gemini/settings.json'), `// mine\n{ "ui": { "theme": "${theme}" } }`);
  mkdirSync(join(home, '.gemini'));
  choose('dark');
  const { session } = await begin('gemini');
  choose('light');
  expect(await goOn(session)).toContainEqual({ type: 'meta', warm: 'resumed' });
});

const later = (type: string) => record(type, '9', [{ text: 'later' }], { timestamp: '2999-01-01T00:00:00Z' });

const settings = (fields: object) => writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(fields));

async function expectWhole(session: Session, program: Program = 'gemini'): Promise<void> {
  harness.script(answers[program]('Anew'));
  const events = await goOn(session);
  const { argv, stdin } = harness.chats.at(-1)!;
  for (const flag of FLAGS) expect(argv).not.toContain(flag);
  expect(stdin).toMatch(/Be brief[^]*one[^]*Hello[^]*\/two/);
  expect(stateIn(events)).toHaveLength(1);
  expect(harness.traced).toContainEqual({ event: 'gamma_cli.session', fields: { resumed: false } });
}

describe('it gets the whole conversation as a text', () => {
  test.each<[string, Program, () => object[]]>([
    ['said more', 'gemini', () => [...turns('gemini'), later('gemini')]],
    ['heard more', 'gemini', () => [...turns('gemini'), later('user')]],
    ['lost its end', 'gemini', () => turns('gemini').slice(0, 3)],
    ['lost everything', 'gemini', () => []],
    ['heard more', 'qwen', () => [...turns('qwen'), later('user')]],
    ['lost its end', 'qwen', () => turns('qwen').slice(0, 1)],
  ])('when the session has %s since, with %s', async (_, program, lines) => {
    const { session } = await begin(program, { lines: lines() });
    await expectWhole(session, program);
  });

  test('when the session is gone, or its id is no id', async () => {
    const { session, file } = await begin('gemini');
    await expectWhole({ ...session, state: { ...session.state, id: `../chats/${ID}` } });
    rmSync(file);
    await expectWhole(session);
  });

  test.each([
    ['another server', () => void (process.env.OPENAI_BASE_URL = 'http://127.0.0.1:1')],
    ['another way to pay', () => settings({ security: { auth: { selectedType: 'oauth-personal' } } })],
    ['another model of its own', () => settings({ model: { name: 'other' } })],
    ['another key in its own file', () => writeFileSync(join(home, '.gemini/.env'), 'KEY=b')],
  ])('when there is %s', async (_, change) => {
    const { session } = await begin('gemini');
    change();
    await expectWhole(session);
  });

  test('when the key is another one', async () => {
    const { session } = await begin('gemini', { options: { api_key_env: 'K' }, environment: { K: 'the-one-key' } });
    await harness.close();
    await begin('gemini', { options: { api_key_env: 'K' }, environment: { K: 'the-other-key' } });
    expect(JSON.stringify(session)).not.toContain('the-one-key');
    await expectWhole(session);
  });

  test.each<[string, Program, CliStep[]]>([
    ['does not know the session', 'qwen', [{ stderr: 'No saved session found with ID x' }, { exit: 1 }]],
    ['does not know the flag', 'gemini', [{ stderr: 'Unknown arguments: session-file' }, { exit: 1 }]],
    ['cannot read it', 'gemini', [{ stderr: 'Error importing session from file' }, { exit: 42 }]],
  ])('when it %s (%s)', async (_, program, failure) => {
    const { session } = await begin(program);
    harness.script(({ argv }) => (FLAGS.some((flag) => argv.includes(flag)) ? failure : answers[program]('Anew')));
    const events = await goOn(session);
    expect(events).toContainEqual({ type: 'text', text: 'Anew' });
    expect(events.filter(({ type }) => type === 'meta')).toMatchObject([{ warm: 'resumed' }, { warm: 'cold' }]);
    expect(harness.chats).toHaveLength(3);
  });
});

test.each<[string, Program, Partial<Options>, boolean]>([
  ['with keep_sessions: false', 'gemini', { keep_sessions: false }, true],
  ['with keep_sessions: false', 'qwen', { keep_sessions: false }, true],
  ['with an argument that works against it', 'gemini', { extra_args: ['--resume'] }, false],
])('%s, %s has no session', async (_, program, options, isRemoved) => {
  const { session, file } = await begin(program, { options });
  expect(session.state).toBeUndefined();
  await harness.driver.close();
  expect(existsSync(file)).toBe(!isRemoved);
});
