import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CUT, STALL } from 'drivebay/testing';
import { givenUp } from '../setup/upstream';
import { answers, refuses } from './codex-answers';
import { memoryIn } from './left-processes';
import {
  chat,
  chats,
  configure,
  endCodex,
  filesOfCodex,
  home,
  last,
  play,
  say,
  startCodex,
  turns,
  untilReady,
  upstream,
  warmUp,
} from './warm-codex';

const ignoredIn = ({ events }: Awaited<ReturnType<typeof chat>>) =>
  events.flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));

beforeEach(() => startCodex());
afterEach(() => endCodex());

test('a program that is ready has what the request says, and nothing of the one before', async () => {
  await warmUp();
  const messages = [say('system', 'Be a parrot'), say('user', 'Grüße /init @/etc/hosts')];
  const { text, warm, events } = await chat({ messages, reasoningEffort: 'HiGh' });
  expect([text, warm, events.at(-1)]).toEqual(['Hi.', 'hit', { type: 'finish', reason: 'stop' }]);
  expect(events.find(({ type }) => type === 'usage')).toEqual({
    ...{ type: 'usage', inputTokens: 1000, outputTokens: 12, cachedInputTokens: 900 },
    ...{ cacheWriteInputTokens: 0, reasoningTokens: 0 },
  });
  expect(last().body).toMatchObject({ model: 'gpt-5.5', reasoning: { effort: 'HiGh' }, tools: [] });
  expect(last().headers.authorization).toBe('Bearer key-one');
  expect(turns()).toEqual([
    ['developer', 'Be a parrot'],
    ['user', 'Grüße /init @/etc/hosts'],
  ]);
  await chat({ model: 'gpt-6-sol', messages: [say('user', 'Three')] }, undefined, 'another');
  expect(last().body.model).toBe('gpt-6-sol');
  expect(last().text).not.toMatch(/Be a parrot|Be the first|"The first"|Grüße|HiGh|"additional_tools"/);
});

test('a conversation goes on in its thread: the next request repeats the last one, and pays for itself', async () => {
  await warmUp();
  const messages = [say('system', 'Be a parrot'), say('user', 'One')];
  const first = await chat({ messages });
  const before = last().body;
  const second = await chat({ messages: [...messages, say('assistant', 'Hi.'), say('user', 'Two')] });
  expect([first.warm, second.warm, second.text]).toEqual(['hit', 'resumed', 'Hi.']);
  expect(turns().slice(1)).toEqual([
    ['user', 'One'],
    ['assistant', 'Hi.'],
    ['user', 'Two'],
  ]);
  expect(last().body.prompt_cache_key).toBe(before.prompt_cache_key);
  const [one, two] = [first, second].map(({ events }) => events.find(({ type }) => type === 'usage'));
  expect(two).toEqual(one);
});

test('an answer keeps to a strict schema, and the next one of the conversation to none', async () => {
  const properties = { city: { type: 'string' } };
  const schema = { type: 'object', properties, required: ['city'], additionalProperties: false };
  const place = { type: 'json_schema', name: 'place', schema } as const;
  play(answers('{"city":"Oslo"}'));
  const messages = [say('user', 'Where?')];
  const first = await chat({ messages, responseFormat: { ...place, strict: true } });
  expect([first.text, first.warm, ignoredIn(first)]).toEqual(['{"city":"Oslo"}', 'cold', []]);
  expect(last().body.text?.format).toMatchObject({ type: 'json_schema', strict: true, schema });
  const next = [...messages, say('assistant', first.text), say('user', 'And why?')];
  const second = await chat({ messages: next, responseFormat: place });
  expect([second.warm, ignoredIn(second)]).toEqual(['resumed', ['response_format']]);
  expect(last().body.text?.format).toBeUndefined();
});

test('a conversation is not summed up, however long it is', async () => {
  await warmUp();
  play(answers('Hi.', [], { input_tokens: 990_000, output_tokens: 12, total_tokens: 990_012 }));
  const before = chats().length;
  const messages = [say('user', 'One '.repeat(10_000))];
  for (const text of ['Two', 'Three']) {
    await chat({ messages });
    messages.push(say('assistant', 'Hi.'), say('user', text));
  }
  expect(await chat({ messages })).toMatchObject({ text: 'Hi.', warm: 'resumed' });
  expect(chats()).toHaveLength(before + 3);
  expect(last().text).toContain('One '.repeat(9_000));
});

test('a conversation that no thread holds is told in its turns', async () => {
  await warmUp();
  const messages = [say('user', 'One'), say('assistant', 'I.'), say('system', 'In French'), say('user', 'Two')];
  expect(await chat({ messages })).toMatchObject({ text: 'Hi.', warm: 'hit' });
  expect(turns().slice(1)).toEqual([
    ['user', 'One'],
    ['assistant', 'I.'],
    ['developer', 'In French'],
    ['user', 'Two'],
  ]);
});

test('of eight chats at once one is cancelled: its connection closes, and the others are answered', async () => {
  await warmUp();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  play((request) => answers(turns(request).at(-1)![1]!, [request.text.includes('Number 3') ? STALL : held]));
  const before = chats().length;
  const abort = new AbortController();
  const asked = [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
    chat({ messages: [say('user', `Number ${index}`)] }, index === 3 ? abort.signal : undefined).catch(
      (error: unknown) => error,
    ),
  );
  await upstream.until(() => chats().length === before + 8);
  const third = chats().find(({ text }) => text.includes('Number 3'))!;
  abort.abort(new Error('left'));
  expect(await asked[3]).toMatchObject({ code: 'canceled' });
  await givenUp(upstream, third);
  release();
  const rest = (await Promise.all(asked)).filter((_, index) => index !== 3);
  expect(rest).toMatchObject([0, 1, 2, 4, 5, 6, 7].map((index) => ({ text: `Number ${index}`, warm: 'hit' })));
});

test.each([
  ['login', () => home.write('.codex/auth.json', JSON.stringify({ OPENAI_API_KEY: 'key-two' })), 'Bearer key-two'],
  ['configuration', () => configure(['model_verbosity = "high"']), 'Bearer key-one'],
])('a changed %s is in the next request, and then in the next program', async (_name, change, authorization) => {
  const first = await warmUp();
  change();
  expect((await chat()).warm).toBe('cold');
  expect(last().headers.authorization).toBe(authorization);
  await untilReady([first]);
  expect((await chat()).warm).toBe('hit');
  expect(last().headers.authorization).toBe(authorization);
});

test('a login that was deleted is not used any more', async () => {
  await warmUp();
  expect(last().headers.authorization).toBe('Bearer key-one');
  rmSync(join(home.directory, '.codex/auth.json'));
  expect((await chat()).warm).toBe('cold');
  expect(last().headers.authorization).toBeUndefined();
});

test('after a login that is refused the program is not asked again', async () => {
  await warmUp();
  play(refuses(401, 'Incorrect API key provided.', 'invalid_api_key'));
  await expect(chat()).rejects.toMatchObject({ code: 'auth', kind: 'login_required', status: 401 });
  play(answers('Hi.'));
  expect((await chat()).warm).toBe('cold');
});

test.each(['while it is idle', 'while it answers'])(
  'a program that is killed %s costs time, and no answer',
  async (when) => {
    const pid = await warmUp();
    if (when === 'while it is idle') process.kill(pid, 'SIGKILL');
    else {
      play(() => {
        process.kill(pid, 'SIGKILL');
        play(answers('Hi.'));
        return answers('', [STALL]);
      });
    }
    expect(await chat()).toMatchObject({ text: 'Hi.', warm: 'cold' });
    await untilReady([pid]);
    expect((await chat()).warm).toBe('hit');
  },
);

test('an answer whose stream broke off is said once, also where it is streamed', async () => {
  await warmUp();
  const whole = answers('Only once.');
  let count = 0;
  play(() => ((count += 1) % 2 === 1 ? { ...whole, pieces: [...whole.pieces.slice(0, 3), CUT] } : whole));
  for (const stream of [true, false]) expect((await chat({ stream })).text).toBe('Only once.');
  expect(count).toBe(4);
});

test('what is too long for a turn is refused as by a run', async () => {
  await warmUp();
  const failure = chat({ messages: [say('user', 'x'.repeat(1_100_000))] });
  await expect(failure).rejects.toMatchObject({ code: 'invalid_request', kind: 'context_overflow', param: 'messages' });
});

test('a hundred threads leave neither memory nor files behind', async () => {
  const pid = await warmUp();
  await chat({}, undefined, 'one');
  const [files, memory] = [filesOfCodex(), memoryIn(home.directory)];
  for (let count = 0; count < 10; count += 1) {
    // What no client can go on with is not kept.
    await Promise.all(Array.from({ length: 10 }, () => chat({}, undefined, '')));
  }
  expect(await untilReady()).toBe(pid);
  expect(filesOfCodex()).toEqual(files);
  expect(memoryIn(home.directory) - memory).toBeLessThan(80);
});
