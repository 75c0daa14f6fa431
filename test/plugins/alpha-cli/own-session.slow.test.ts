import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from 'drivebay/plugin';
import type { Options } from '../../../plugins/alpha-cli/environment';
import { tempFolder } from '../../setup/temp-folder';
import { stateIn, user, valueAfter } from '../cli-harness';
import { says as say } from '../messages';
import { start } from './harness';
import { assistant, failedResult, init, result, said } from './lines';

const ID = '0cdb275d-cfdf-444e-8608-c2398c53c7c5';
const LAST = '6cc0e2c9-1079-45d7-8140-961c52913b87';
const NO_FLAG = '--no-session-persistence';

let harness: Awaited<ReturnType<typeof start>>;
let config: string;

beforeEach(() => {
  config = tempFolder();
  process.env.CLAUDE_CONFIG_DIR = config;
});
afterEach(async () => {
  delete process.env.CLAUDE_CONFIG_DIR;
  delete process.env.ANTHROPIC_BASE_URL;
  await harness.close();
});

/** An answer whose last message has this id. */
const answer = (uuid = LAST, text = 'Hello') => [
  init({ session_id: ID }),
  assistant([{ type: 'text', text: 'First' }], { uuid: 'of an earlier message' }, { id: 'msg_0' }),
  assistant([{ type: 'text', text: 'Inside' }], { uuid: 'of a subagent', parent_tool_use_id: 'toolu_1' }),
  assistant([{ type: 'text', text }], { uuid }),
  result(text, { session_id: ID }),
];

const turn = (type: string, uuid: string, more: object = {}) => ({ type, uuid, isSidechain: false, ...more });
const TURNS = [turn('user', 'one'), turn('assistant', LAST), { type: 'last-prompt', leafUuid: LAST }];

/** What the program has written. */
function write(turns: object[], folder = '-work', id = ID): string {
  const file = join(config, 'projects', folder, `${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, turns.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const MESSAGES = [say('system', 'Be brief.'), user('one'), say('assistant', 'First\n\nHello'), user('/two')];

async function begin(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<Session> {
  harness = await start(options, environment);
  harness.script(answer());
  const [state] = stateIn(await harness.chat({ messages: MESSAGES.slice(0, 2) }, { workspace: harness.workspace }));
  return { state: state!, holds: 3 };
}

const goOn = (session: Session) => harness.chat({ messages: MESSAGES }, { workspace: harness.workspace, session });

test('an agent tells where its program keeps the session, and the next one goes on there with the new words alone', async () => {
  const session = await begin();
  expect(session.state).toMatchObject({ id: ID, last: LAST });
  write(TURNS);
  harness.script(answer('next'));
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'meta', warm: 'resumed' });
  expect(stateIn(events)).toEqual([{ ...session.state, last: 'next' }]);
  const [first, second] = harness.chats;
  expect([valueAfter(first!.argv, '--resume'), valueAfter(second!.argv, '--resume')]).toEqual([undefined, ID]);
  // A leading slash would be a command of the program, which could drop the conversation.
  expect(second!.stdin).toBe('\n/two');
  expect(second!.argv).toContain('--append-system-prompt-file');
  for (const { argv } of harness.chats) expect(argv).not.toContain(NO_FLAG);
  expect(harness.traced).toContainEqual({ event: 'alpha_cli.session', fields: { resumed: true } });
});

describe('it tells the whole conversation', () => {
  const expectWhole = async (session: Session): Promise<void> => {
    const events = await goOn(session);
    const { argv, stdin } = harness.chats.at(-1)!;
    expect(argv).not.toContain('--resume');
    expect(stdin).toMatch(/one[^]*Hello[^]*\/two/);
    expect(stateIn(events)).toHaveLength(1);
    expect(harness.traced).toContainEqual({ event: 'alpha_cli.session', fields: { resumed: false } });
  };

  test('when the session is gone', async () => {
    const session = await begin();
    rmSync(write(TURNS));
    await expectWhole(session);
  });

  test.each([
    ['said more', [...TURNS, turn('assistant', 'later')]],
    ['heard more', [...TURNS, turn('user', 'later')]],
    ['lost its end', TURNS.slice(0, 1)],
    ['lost everything', []],
  ])('when the session has %s since', async (_, turns) => {
    const session = await begin();
    write(turns);
    await expectWhole(session);
  });

  test('when the id is no id', async () => {
    const session = await begin();
    write(TURNS, '-work', 'x');
    await expectWhole({ ...session, state: { ...session.state, id: '../-work/x' } });
  });

  test.each([
    ['another server', () => void (process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:1')],
    ['another login', () => writeFileSync(join(config, '.claude.json'), '{"oauthAccount":{"accountUuid":"b"}}')],
  ])('when there is %s', async (_, change) => {
    const session = await begin();
    write(TURNS);
    change();
    await expectWhole(session);
  });

  test('when the key is another one', async () => {
    const session = await begin({ api_key_env: 'ANTHROPIC_API_KEY' }, { ANTHROPIC_API_KEY: 'one' });
    await harness.close();
    await begin({ api_key_env: 'ANTHROPIC_API_KEY' }, { ANTHROPIC_API_KEY: 'two' });
    expect(JSON.stringify(session)).not.toMatch(/"one"|"two"/);
    write(TURNS);
    await expectWhole(session);
  });
});

test('messages of subagents in the file are no turns of the session', async () => {
  const session = await begin();
  write([...TURNS, turn('assistant', 'inner', { isSidechain: true })], '-elsewhere');
  await goOn(session);
  expect(valueAfter(harness.chats.at(-1)!.argv, '--resume')).toBe(ID);
});

test.each([
  [
    'says that it has none',
    [
      result('', {
        is_error: true,
        subtype: 'error_during_execution',
        num_turns: 0,
        errors: ['No conversation found with session ID: x'],
      }),
    ],
  ],
  ['ends without a word', [{ exit: 1 }]],
  [
    'gets a refusal for it',
    [init({ session_id: ID }), failedResult('API Error: 400 messages: invalid signature in thinking block', 400)],
  ],
])('a program that %s is asked again with the whole conversation', async (_, failure) => {
  const session = await begin();
  write(TURNS);
  harness.script(({ argv }) => (argv.includes('--resume') ? failure : answer('anew', 'Hello again')));
  const events = await goOn(session);
  expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('First\n\nHello again');
  expect(events.findLast(({ type }) => type === 'meta')).not.toMatchObject({ warm: 'resumed' });
  expect(events).toContainEqual({ type: 'meta', warm: 'cold' });
  expect(harness.chats).toHaveLength(3);
});

test.each([
  ['has no login', [failedResult('Invalid API key · Please run /login', 401)], 'auth'],
  ['has begun', [init({ session_id: ID }), said('Half'), failedResult('API Error: 400 broken', 400)], 'rejected'],
])('a program that %s is not asked again', async (_, failure, code) => {
  const session = await begin();
  write(TURNS);
  harness.script(failure);
  const failed = harness.failure({ messages: MESSAGES }, { workspace: harness.workspace, session });
  expect(await failed).toMatchObject({ code });
  expect(harness.chats).toHaveLength(2);
});

test.each([
  ['with keep_sessions: false', { keep_sessions: false }, true],
  ['with the argument of the user', { extra_args: [NO_FLAG] }, true],
  ['in a gateway chat', { gateway_tools: true }, false],
])('%s the program keeps none', async (_, options, isAgent) => {
  harness = await start(options);
  harness.script(answer());
  const session = { state: { id: ID, last: LAST }, holds: 3 };
  const events = await harness.chat({ messages: MESSAGES }, isAgent ? { workspace: harness.workspace, session } : {});
  expect(stateIn(events)).toEqual([]);
  expect(harness.run.argv).toContain(NO_FLAG);
  expect(harness.run.argv).not.toContain('--resume');
});
