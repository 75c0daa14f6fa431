import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from 'drivebay/plugin';
import type { Options } from '../../../plugins/beta-cli/own-session';
import { tempFolder } from '../../setup/temp-folder';
import { stateIn, user, valueAfter } from '../cli-harness';
import { says as say } from '../messages';
import { start } from './harness';
import { init, piece, result, whole } from './lines';

const ID = 'ac437fdf-3e7e-4a54-98a4-7bb04fd3efc6';
const OTHER = 'bc437fdf-3e7e-4a54-98a4-7bb04fd3efc6';

let harness: Awaited<ReturnType<typeof start>>;
let config: string;

beforeEach(() => {
  config = tempFolder();
  process.env.CURSOR_CONFIG_DIR = config;
});
afterEach(async () => {
  delete process.env.CURSOR_CONFIG_DIR;
  await harness.close();
});

const answer = (text: string, id = ID) => [
  { ...init(), session_id: id },
  piece(text),
  whole(text),
  result(text, { session_id: id }),
];

/** What the program keeps of a chat. */
function store(written = new Date()): string {
  const file = join(config, 'chats/0123abcd', ID, 'store.db');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, written, written);
  return file;
}

const MESSAGES = [say('system', 'Be brief.'), user('one'), say('assistant', 'Hello'), user('/two')];

async function begin(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<Session> {
  harness = await start(options, environment);
  harness.script(answer('Hello'));
  const [state] = stateIn(await harness.chat({ messages: MESSAGES.slice(0, 2) }, { workspace: harness.workspace }));
  return { state: state!, holds: 3 };
}

const goOn = (session: Session) => harness.chat({ messages: MESSAGES }, { workspace: harness.workspace, session });

test('an agent tells of its chat, and the next one goes on there with the new words alone', async () => {
  const session = await begin();
  store();
  const events = await goOn(session);
  expect(events).toContainEqual({ type: 'meta', warm: 'resumed' });
  expect(stateIn(events)).toMatchObject([{ id: ID }]);
  const { argv, stdin } = harness.chats.at(-1)!;
  expect([valueAfter(argv, '--resume'), stdin]).toEqual([ID, ' /two']);
  expect(harness.traced).toContainEqual({ event: 'beta_cli.session', fields: { resumed: true } });
});

describe('it tells the whole conversation', () => {
  const expectWhole = async (session: Session): Promise<void> => {
    const events = await goOn(session);
    const { argv, stdin } = harness.chats.at(-1)!;
    expect(argv).not.toContain('--resume');
    expect(stdin).toMatch(/Be brief[^]*one[^]*Hello[^]*\/two/);
    expect(stateIn(events)).toHaveLength(1);
    expect(harness.traced).toContainEqual({ event: 'beta_cli.session', fields: { resumed: false } });
  };

  test('when the chat is gone, or has gone on since', async () => {
    const session = await begin();
    store(new Date(Date.now() + 3_600_000));
    await expectWhole(session);
    rmSync(store());
    await expectWhole(session);
  });

  test('when its id is no id', async () => {
    const session = await begin();
    store();
    await expectWhole({ ...session, state: { ...session.state, id: `../0123abcd/${ID}` } });
  });

  test('when there is another login', async () => {
    const session = await begin();
    store();
    writeFileSync(join(config, 'cli-config.json'), '{"authInfo":{"email":"b@example.com"}}');
    await expectWhole(session);
  });

  test('when the key is another one', async () => {
    const session = await begin({ api_key_env: 'K' }, { K: 'the-one-key' });
    await harness.close();
    await begin({ api_key_env: 'K' }, { K: 'the-other-key' });
    store();
    expect(JSON.stringify(session)).not.toContain('the-one-key');
    await expectWhole(session);
  });

  test('when the program begins another chat', async () => {
    const session = await begin();
    store();
    harness.script(({ argv }) => answer(argv.includes('--resume') ? 'Who are you?' : 'Anew', OTHER));
    const events = await goOn(session);
    expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'Anew' }]);
    expect(events.filter((event) => event.type === 'meta' && event.warm)).toMatchObject([
      { warm: 'resumed' },
      { warm: 'cold' },
    ]);
    expect(harness.chats).toHaveLength(3);
  });
});

test('with keep_sessions: false it tells of no chat, and goes on in none', async () => {
  const session = await begin({ keep_sessions: false });
  expect(session.state).toBeUndefined();
  store();
  await goOn({ ...session, state: { id: ID, ended: Date.now() } });
  expect(harness.chats.at(-1)!.argv).not.toContain('--resume');
});
