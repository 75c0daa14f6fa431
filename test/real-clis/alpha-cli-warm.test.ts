import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpPiece, STALL } from 'drivebay/testing';
import { givenUp } from '../setup/upstream';
import { answers } from './claude-answers';
import { processesGone } from './left-processes';
import { type Chatted, say, WarmClaude } from './warm-claude';

const ignoredIn = ({ events }: Chatted) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));

let stage: WarmClaude;

beforeEach(async () => {
  stage = await WarmClaude.start();
});
afterEach(() => stage.close());

test('a program that is ready has what the request says, and nothing of the one before', async () => {
  await stage.warmUp();
  const request = { maxTokens: 777, messages: [say('system', 'Be a parrot'), say('user', 'Grüße')] };
  const { text, warm, events } = await stage.chat(request);
  expect([text, warm, events.at(-1)]).toEqual(['Hi.', 'hit', { type: 'finish', reason: 'stop' }]);
  const { body, headers } = stage.last;
  expect(body).toMatchObject({ model: 'claude-opus-4-8', max_tokens: 777, tools: [] });
  expect(headers).toMatchObject({ 'x-api-key': 'key-of-the-test' });
  expect(body.system.at(-1).text).toBe('Be a parrot');
  expect(stage.turns).toEqual([['Grüße']]);
  expect(stage.last.text).not.toContain('The first');
  expect(stage.last.text).not.toContain('Be the first');
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 985, outputTokens: 12 });
});

test.each(['@/etc/hostname', '/clear', '/help me', '!ls', '# x'])('%s is plain text for it', async (text) => {
  await stage.warmUp();
  expect(await stage.chat({ messages: [say('user', text)] })).toMatchObject({ text: 'Hi.', warm: 'hit' });
  expect(stage.turns.flat().join('').trim()).toBe(text);
});

test('a conversation goes on in its program: the next request repeats the last one, and pays for itself', async () => {
  await stage.warmUp();
  const messages = [say('system', 'Be a parrot'), say('user', 'One')];
  const first = await stage.chat({ messages });
  const before = stage.last.body;
  const second = await stage.chat({ messages: [...messages, say('assistant', 'Hi.'), say('user', 'Two')] });
  expect([first.warm, second.warm, second.text]).toEqual(['hit', 'resumed', 'Hi.']);
  const { body } = stage.last;
  expect(stage.turns).toEqual([['One'], ['Hi.'], ['Two']]);
  expect(body.system.map(({ text }: { text: string }) => text)).toEqual(
    before.system.map(({ text }: { text: string }) => text),
  );
  const [one, two] = [first, second].map(({ events }) => events.find(({ type }) => type === 'usage'));
  expect(two).toEqual(one);
});

test('an answer keeps to a schema, and the next one of the conversation to none', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  stage.play(answers('{"city":"Oslo"}'));
  const messages = [say('user', 'Where?')];
  const first = await stage.chat({ messages, responseFormat: { type: 'json_schema', name: 'place', schema } });
  expect([first.text, first.warm, ignoredIn(first)]).toEqual(['{"city":"Oslo"}', 'cold', []]);
  expect(stage.last.body.output_config).toMatchObject({ format: { type: 'json_schema', schema } });
  const next = [...messages, say('assistant', first.text), say('user', 'And why?')];
  const second = await stage.chat({ messages: next, responseFormat: { type: 'json_object' } });
  expect([second.warm, ignoredIn(second)]).toEqual(['resumed', ['response_format']]);
  expect(stage.last.body.output_config?.format).toBeUndefined();
});

test('a conversation is not summed up, however long it is', async () => {
  await stage.warmUp();
  const answer = answers('Hi.');
  const tokens = (piece: HttpPiece) =>
    typeof piece === 'string'
      ? piece.replace('"cache_read_input_tokens":900', '"cache_read_input_tokens":990000')
      : piece;
  stage.play({ ...answer, pieces: answer.pieces.map(tokens) });
  const before = stage.chats.length;
  const messages = [say('user', 'One '.repeat(10_000))];
  for (const text of ['Two', 'Three']) {
    await stage.chat({ messages });
    messages.push(say('assistant', 'Hi.'), say('user', text));
  }
  expect(await stage.chat({ messages })).toMatchObject({ text: 'Hi.', warm: 'resumed' });
  expect(stage.chats).toHaveLength(before + 3);
  expect(stage.last.text).toContain('One '.repeat(9_000));
});

test('a conversation that no program holds is told in its turns', async () => {
  await stage.warmUp();
  const messages = [say('user', 'One'), say('assistant', 'I.'), say('user', '/clear'), say('assistant', 'II.')];
  expect(await stage.chat({ messages: [...messages, say('user', 'Three')] })).toMatchObject({
    text: 'Hi.',
    warm: 'hit',
  });
  expect(stage.turns).toEqual([['One'], ['I.'], ['\n/clear'], ['II.'], ['Three']]);
  expect(stage.chats).toHaveLength(2);
});

test('a login that changes while a program is ready is in its next request', async () => {
  await stage.close();
  stage = await WarmClaude.start({ api_key_env: undefined });
  const login = (accessToken: string): string =>
    stage.open.home.write(
      '.claude/.credentials.json',
      JSON.stringify({
        claudeAiOauth: {
          accessToken,
          refreshToken: 'r',
          expiresAt: Date.now() + 3_600_000,
          scopes: ['user:inference'],
        },
      }),
    );
  login('token-one');
  await stage.warmUp();
  expect(stage.last.headers.authorization).toBe('Bearer token-one');
  login('token-two');
  expect((await stage.chat()).warm).toBe('hit');
  expect(stage.last.headers.authorization).toBe('Bearer token-two');
});

test('a program that is ready has the key and the server of the user’s settings, and neither hooks nor memory', async () => {
  await stage.close();
  stage = await WarmClaude.start({ api_key_env: undefined });
  const { home } = stage.open;
  const made = join(home.directory, 'made');
  const hook = [{ hooks: [{ type: 'command', command: `touch ${made}` }] }];
  const settings = { apiKeyHelper: 'echo key-of-the-helper', hooks: { UserPromptSubmit: hook, SessionStart: hook } };
  const env = { ANTHROPIC_BASE_URL: stage.upstream.url };
  home.write('.claude/settings.json', JSON.stringify({ ...settings, env }));
  home.write('.claude/CLAUDE.md', 'Remember the walrus.');
  await stage.warmUp();
  expect((await stage.chat({ tools: [{ name: 'look' }] })).warm).toBe('hit');
  const { 'x-api-key': key, authorization } = stage.last.headers;
  expect([key, authorization].join()).toContain('key-of-the-helper');
  expect(stage.last.text).not.toContain('walrus');
  expect(existsSync(made)).toBe(false);
});

test('when the client leaves, its program ends, and the one that is ready stays', async () => {
  await stage.warmUp();
  stage.play(answers('Hi.', [STALL]));
  const abort = new AbortController();
  const chatting = stage.chat({}, { signal: abort.signal }).catch((error: unknown) => error);
  await stage.upstream.until(() => stage.chats.length === 2);
  const left = stage.last;
  abort.abort(new Error('left'));
  expect(await chatting).toMatchObject({ code: 'canceled' });
  await givenUp(stage.upstream, left);
  stage.play(answers('Hi.'));
  await stage.untilReady();
  expect((await stage.chat()).warm).toBe('hit');
});

test('nothing is left when the driver closes, with a program ready and one that holds a conversation', async () => {
  await stage.warmUp();
  await stage.chat();
  await stage.untilReady();
  expect(
    stage.open.kept
      .list()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['conversation', 'spare']);
  await stage.driver.close();
  stage.open.kept.close();
  await stage.open.programs.close();
  await processesGone(stage.open.home.directory);
});
