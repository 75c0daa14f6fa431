import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from 'drivebay/plugin';
import type { Options } from '../../../plugins/delta-cli/options';
import { tempFolder } from '../../setup/temp-folder';
import { stateIn, user } from '../cli-harness';
import { says as say } from '../messages';
import { start } from './harness';

/** It began at noon of 23 November 2026, in any time zone within a day of it. */
const ID = '01a20847-0e00-73e1-94e3-1aa580b0c2dd';
const DAY = 'sessions/2026/11/23';

let harness: Awaited<ReturnType<typeof start>>;
let config: string;

beforeEach(() => {
  config = tempFolder();
  process.env.CODEX_HOME = config;
});
afterEach(async () => {
  delete process.env.CODEX_HOME;
  await harness.close();
});

/** An answer, with what the program has counted until its end. */
const answer = (text: string, input: number, output: number) => [
  { type: 'thread.started', thread_id: ID },
  { type: 'turn.started' },
  { type: 'item.completed', item: { type: 'agent_message', text } },
  { type: 'turn.completed', usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: output } },
];

const line = (type: string, payload: object, ordinal = {}) => ({
  timestamp: '2026-11-23T12:00:00Z',
  ...ordinal,
  type,
  payload,
});
const TURN = [
  line('event_msg', { type: 'task_started' }, { ordinal: 1 }),
  line('response_item', {
    type: 'message',
    content: '{"timestamp":"","type":"event_msg","payload":{"type":"task_started"',
  }),
  line('event_msg', { type: 'task_complete' }),
];

function write(lines: object[], folder = DAY): string {
  const file = join(config, folder, `rollout-2026-11-23T12-00-00-${ID}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return file;
}

const MESSAGES = [say('system', 'Be brief.'), user('one'), say('assistant', 'Hello'), user('two')];

async function begin(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<Session> {
  harness = await start(options, environment);
  harness.script(answer('Hello', 30, 12));
  const [state] = stateIn(await harness.chat({ messages: MESSAGES.slice(0, 2) }, { workspace: harness.workspace }));
  return { state: state!, holds: 3 };
}

const goOn = (session: Session) => harness.chat({ messages: MESSAGES }, { workspace: harness.workspace, session });

test('an agent tells where its program keeps the session, and the next one goes on there with the new words alone', async () => {
  const session = await begin();
  expect(session.state).toMatchObject({ id: ID, turns: 1 });
  write(TURN);
  harness.script(answer('Again', 75, 20));
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'meta', warm: 'resumed' });
  expect(stateIn(events)).toMatchObject([{ id: ID, turns: 2 }]);
  const { argv, stdin } = harness.chats.at(-1)!;
  expect([stdin, argv.slice(-3)]).toEqual(['two', ['resume', ID, '-']]);
  for (const run of harness.chats) expect(run.argv).not.toContain('--ephemeral');
  // The program counts on, and each turn is booked once.
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 45, outputTokens: 8 });
});

test.each(['sessions/2026/11/22', 'sessions/2026/11/24'])(
  'a session is found in the next time zone: %s',
  async (folder) => {
    const session = await begin();
    write(TURN, folder);
    await goOn(session);
    expect(harness.chats.at(-1)!.argv).toContain('resume');
  },
);

describe('it tells the whole conversation', () => {
  const expectWhole = async (session: Session): Promise<void> => {
    const events = await goOn(session);
    const { argv, stdin } = harness.chats.at(-1)!;
    expect(argv).not.toContain('resume');
    expect(stdin).toMatch(/Be brief[^]*one[^]*Hello[^]*two/);
    expect(stateIn(events)).toMatchObject([{ turns: 1 }]);
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 30, outputTokens: 12 });
    expect(harness.traced).toContainEqual({ event: 'delta_cli.session', fields: { resumed: false } });
  };

  test('when the session is gone', async () => {
    const session = await begin();
    rmSync(write(TURN));
    await expectWhole(session);
  });

  test.each([
    ['one more turn', [...TURN, ...TURN]],
    ['a turn that has not ended', [...TURN, TURN[0]!]],
    ['no turn', []],
    ['a form of its own', TURN.map((each) => ({ version: 2, ...each }))],
  ])('when the session has %s', async (_, turns) => {
    const session = await begin();
    write(turns);
    await expectWhole(session);
  });

  test.each(['../../x', 'ffffffff-ffff-73e1-94e3-1aa580b0c2dd'])('when its id is %s', async (id) => {
    const session = await begin();
    write(TURN);
    await expectWhole({ ...session, state: { ...session.state, id } });
  });

  test.each([
    ['another login', 'auth.json', '{"tokens":{"account_id":"b"}}'],
    ['another key of the login', 'auth.json', '{"OPENAI_API_KEY":"b"}'],
    ['another model', 'config.toml', 'model = "b"'],
    ['another model provider', 'config.toml', 'model_provider = "b"'],
  ])('when there is %s', async (_, file, text) => {
    const session = await begin();
    write(TURN);
    writeFileSync(join(config, file), text);
    await expectWhole(session);
  });

  test('when the key is another one', async () => {
    const session = await begin({ api_key_env: 'OPENAI_API_KEY' }, { OPENAI_API_KEY: 'one' });
    await harness.close();
    await begin({ api_key_env: 'OPENAI_API_KEY' }, { OPENAI_API_KEY: 'two' });
    write(TURN);
    await expectWhole(session);
  });
});

test('settings of the program that say nothing of the model change nothing', async () => {
  const session = await begin();
  write(TURN);
  writeFileSync(join(config, 'config.toml'), '[projects."/model"]\ntrust_level = "trusted"');
  await goOn(session);
  expect(harness.chats.at(-1)!.argv).toContain('resume');
});

test('a program that does not know the session is asked again with the whole conversation', async () => {
  const session = await begin();
  write(TURN);
  const failure = [
    { stderr: 'Error: thread/resume: thread/resume failed: no rollout found for thread id x (code -32600)' },
    { exit: 1 },
  ];
  harness.script(({ argv }) => (argv.includes('resume') ? failure : answer('Anew', 30, 12)));
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'text', text: 'Anew' });
  expect(events.filter(({ type }) => type === 'meta')).toEqual([
    { type: 'meta', warm: 'resumed' },
    { type: 'meta', warm: 'cold' },
  ]);
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 30, outputTokens: 12 });
});

test('a program that is over its limit is not asked again', async () => {
  const session = await begin();
  write(TURN);
  harness.script([
    { type: 'turn.failed', error: { message: "You've hit your usage limit. Try again at 5 PM." } },
    { exit: 1 },
  ]);
  expect(await harness.failure({ messages: MESSAGES }, { workspace: harness.workspace, session })).toMatchObject({
    code: 'rate_limited',
  });
  expect(harness.chats).toHaveLength(2);
});

test.each([
  ['with keep_sessions: false', { keep_sessions: false }, true],
  ['with the argument of the user', { extra_args: ['--ephemeral'] }, true],
  ['with an argument that works against it', { extra_args: ['--help'] }, true],
  ['in a gateway chat', { gateway_tools: true }, false],
])('%s the program keeps none', async (_, options, isAgent) => {
  harness = await start(options);
  harness.script(answer('Hello', 30, 12));
  const session = { state: { id: ID, turns: 1 }, holds: 3 };
  const events = await harness.chat({ messages: MESSAGES }, isAgent ? { workspace: harness.workspace, session } : {});
  expect(stateIn(events)).toEqual([]);
  expect(harness.run.argv.filter((argument) => argument === '--ephemeral')).toHaveLength(1);
});
