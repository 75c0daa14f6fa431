import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, ChatEvent, ChatRequest, ContentPart, Message } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord, json, sse, STALL } from 'drivebay/testing';
import createDriver, { type GammaCliDriver } from '../../plugins/gamma-cli';
import type { Options } from '../../plugins/gamma-cli/environment';
import { textOf } from '../plugins/cli-harness';
import { end as lastCandidate } from '../plugins/zeta/wire';
import { DEFAULTS } from '../plugins/gamma-cli/harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { delta, DONE, finish, givenUp, usageChunk } from '../setup/upstream';
import { until } from '../setup/until';
import { installedCli } from './installed-cli';
import { processesGone } from './left-processes';
import { playing } from './scripted-wires';

const before = process.env;

let upstream: FakeHttpServer;
let open: OpenContext<Options>;
let driver: GammaCliDriver;
let answer: (request: HttpRequestRecord) => HttpAnswer;

async function start(program: string): Promise<void> {
  upstream = await FakeHttpServer.start();
  upstream.answer((request) => (isChat(request) ? answer(request) : json({})));
  answer = playing({ text: 'Hi.' });
  open = new OpenContext<Options>(
    'gamma-cli',
    { ...DEFAULTS, command: installedCli(program), api_key_env: 'MY_KEY', warm: true },
    (home) => ({
      ...{ GOOGLE_GEMINI_BASE_URL: upstream.url, OPENAI_BASE_URL: `${upstream.url}/v1`, MY_KEY: 'key-of-the-test' },
      GEMINI_CLI_HOME: home,
    }),
  );
  process.env = { ...before, GEMINI_CLI_HOME: open.home.directory };
  driver = createDriver(open.context);
}

afterEach(async () => {
  await driver.close();
  await open.close();
  await upstream.close();
  process.env = before;
});

const isChat = ({ method, path }: HttpRequestRecord) =>
  method === 'POST' && /streamGenerate|chat\/completions/.test(path);
const chats = () => upstream.requests.filter(isChat);
const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

interface Chatted {
  text: string;
  warm: string | undefined;
  events: ChatEvent[];
  ms: number;
}

async function chat(request: Partial<ChatRequest> = {}, more: Partial<Call> = {}): Promise<Chatted> {
  const call = { ...newCall(), deadline: Date.now() + 120_000, log: open.context.log, scope: 'the test', ...more };
  const events: ChatEvent[] = [];
  const started = performance.now();
  let ms = 0;
  for await (const event of driver.chat(chatRequest({ model: 'm-1', ...request }), call)) {
    if (event.type === 'text') ms ||= performance.now() - started;
    events.push(event);
  }
  const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []));
  return { text: textOf(events), warm: warm[0], events, ms };
}

/** Asks once, and waits for the program that the next chat finds. */
async function warmUp(): Promise<number> {
  const messages = [say('system', 'Be the first'), say('user', 'The first')];
  const { text, warm, ms } = await chat({ messages });
  expect([text, warm]).toEqual(['Hi.', 'cold']);
  await until(() => open.kept.list().some(({ state }) => state === 'spare'));
  return ms;
}

const usageOf = (events: ChatEvent[]) => events.find(({ type }) => type === 'usage');
const last = () => chats().at(-1)!;

interface SentMessage {
  role: string;
  content?: string | { text: string }[];
  parts?: { text: string }[];
}

/** The texts of the user and the model, without what the program says of itself. */
function turns(): string[][] {
  const { contents, messages } = last().body as { contents?: SentMessage[]; messages?: SentMessage[] };
  return (contents ?? messages!)
    .filter(({ role }) => role !== 'system')
    .map(({ content, parts }) =>
      typeof content === 'string' ? [content] : (content ?? parts!).map(({ text }) => text),
    )
    .map((texts) =>
      texts.filter((text) => !/setting up the context|Thanks for the context|^<system-reminder>/.test(text)),
    )
    .filter((texts) => texts.length > 0);
}

const system = () => JSON.stringify(last().body.systemInstruction ?? last().body.messages[0]);

describe.each(['gemini', 'qwen'])('%s', (program) => {
  test('a warm chat has what its request says, nothing of the one before, and costs the same', async () => {
    await start(program);
    await warmUp();
    const cold = await chat({ messages: [say('user', '/quit')] });
    const messages = [say('system', 'Be a parrot'), say('user', 'Grüße')];
    const model = program === 'gemini' ? 'm-2' : 'm-1';
    const { text, warm, events } = await chat({ messages, model });
    expect([cold.warm, text, warm, events.at(-1)]).toEqual(['cold', 'Hi.', 'hit', { type: 'finish', reason: 'stop' }]);
    expect(usageOf(events)).toEqual(usageOf(cold.events));
    expect(last().text).not.toContain('The first');
    expect(last().text).not.toContain('Be the first');
    expect(last().body.tools?.flatMap((tool: object) => Object.values(tool).flat()) ?? []).toEqual([]);
    expect(last().path + last().body.model).toContain(model);
    if (program === 'gemini') expect(turns()).toEqual([['Be a parrot\n\nGrüße']]);
    else expect([turns(), system()]).toEqual([[['Grüße']], expect.stringContaining('Be a parrot')]);
    expect(chats()).toHaveLength(3);
  });

  test('a conversation goes on in its session, and one that no session holds is told in its turns', async () => {
    await start(program);
    await warmUp();
    const messages = [say('system', 'Be a parrot'), say('user', 'One')];
    expect((await chat({ messages })).warm).toBe('hit');
    const more = [...messages, say('assistant', 'Hi.'), say('user', 'Two')];
    const second = await chat({ messages: more });
    expect([second.text, second.warm]).toEqual(['Hi.', 'resumed']);
    const held = turns();
    const other = await chat({ messages: more }, { scope: 'another client' });
    expect([other.text, other.warm]).toEqual(['Hi.', 'hit']);
    expect(turns()).toEqual(held);
    expect(held.map((texts) => texts.join(''))).toEqual([expect.stringMatching(/One$/), 'Hi.', 'Two']);
    expect(usageOf(other.events)).toEqual(usageOf(second.events));
    expect(chats()).toHaveLength(4);
  });

  test('a failure has the words and the kind of a run of its own, and the next chat is warm', async () => {
    await start(program);
    await warmUp();
    const status = program === 'gemini' ? 429 : 401;
    const error = { code: status, message: 'Incorrect API key: rate limit', status: 'RESOURCE_EXHAUSTED' };
    answer = () => json({ error }, { status });
    const warm = await chat().catch((failure: unknown) => failure);
    const cold = await chat({ messages: [say('user', '/quit')] }).catch((failure: unknown) => failure);
    expect(warm).toMatchObject({ message: (cold as Error).message, kind: (cold as { kind: string }).kind });
    answer = playing({ text: 'Hi.' });
    expect((await chat()).warm).toBe('hit');
  });

  test('when a client leaves, its request ends, and the others go on', async () => {
    await start(program);
    await warmUp();
    const calm = playing({ text: 'Hi.' });
    answer = (request) => {
      const whole = calm(request);
      return request.text.includes('Stay') ? { ...whole, pieces: [whole.pieces[0]!, STALL] } : whole;
    };
    const abort = new AbortController();
    const staying = chat({ messages: [say('user', 'Stay')] }, { signal: abort.signal }).catch(
      (error: unknown) => error,
    );
    await upstream.until(() => chats().some(({ text }) => text.includes('Stay')));
    const left = chats().find(({ text }) => text.includes('Stay'))!;
    expect(await chat()).toMatchObject({ text: 'Hi.', warm: 'hit' });
    abort.abort(new Error('left'));
    expect(await staying).toMatchObject({ code: 'canceled' });
    await givenUp(upstream, left);
    expect(await chat()).toMatchObject({ text: 'Hi.', warm: 'hit' });
  });

  test('nothing is left when the driver closes: no process, and no file of a conversation', async () => {
    await start(program);
    const cold = await warmUp();
    const { ms } = await chat({ messages: [say('user', 'A secret')] });
    await chat({ messages: [say('user', 'A secret'), say('assistant', 'I.'), say('user', 'Two')] });
    expect(ms).toBeLessThan(cold);
    await driver.close();
    await processesGone(open.home.directory);
    const scratch = await open.context.scratch();
    expect(readdirSync(scratch).sort()).toEqual(['chat', 'warm']);
    const sessions = join(open.home.directory, '.gemini/tmp/warm/chats');
    const names = existsSync(sessions) ? readdirSync(sessions) : [];
    expect(names).toEqual([]);
    // Only some versions of Qwen Code make it.
    if (program === 'gemini') expect(existsSync(join(open.home.directory, '.qwen/debug'))).toBe(false);
  });
});

/** Qwen Code before 0.24, which is what npm gives to Node 20, has no tool servers in a chat. */
const canHaveTools = (program: string): boolean => {
  if (program === 'gemini') return true;
  const { version } = JSON.parse(
    readFileSync(join(dirname(realpathSync(installedCli(program))), 'package.json'), 'utf8'),
  ) as { version: string };
  return !/^0\.(\d|1\d|2[0-3])\./.test(version);
};

const PREFIXES: Record<string, string> = { gemini: 'mcp_drivebay_', qwen: 'mcp__drivebay__' };

test.each(['gemini', 'qwen'])('the model of %s calls the tools of a client, and sees no others', async (program) => {
  await start(program);
  const name = `${PREFIXES[program]}get_weather`;
  const waits = program === 'gemini' ? { wait_for_previous: true } : {};
  const calls = ['Paris', 'Rome'].map((city) => ({ name, args: { city, ...waits } }));
  answer = playing({ text: 'Let me look.', calls }, { text: 'Sunny and rain.' });
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = [{ name: 'get_weather', description: 'Weather of a city', parameters }];
  let messages = [say('user', 'Weather?')];
  if (!canHaveTools(program)) {
    await expect(chat({ messages, tools })).rejects.toMatchObject({ hint: expect.stringContaining('Node.js 22') });
    return;
  }
  const answers: Chatted[] = [];
  for (const result of ['sunny', 'rain', '']) {
    const chatted = await chat({ messages, tools });
    answers.push(chatted);
    const [call] = chatted.events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));
    if (!call) break;
    messages = [
      ...messages,
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: chatted.text },
          { type: 'tool_call', id: call.id!, name: call.name!, arguments: call.arguments! },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_result', callId: call.id!, content: [{ type: 'text', text: result }] }] },
    ];
  }
  expect(answers.map(({ text, warm, events }) => [text, warm, events.at(-1)])).toEqual([
    ['Let me look.', 'cold', { type: 'finish', reason: 'tool_calls' }],
    ['', 'resumed', { type: 'finish', reason: 'tool_calls' }],
    ['Sunny and rain.', 'resumed', { type: 'finish', reason: 'stop' }],
  ]);
  expect(toolsOf(chats()[0]!)).toMatchObject([{ name, description: 'Weather of a city' }]);
  expect(chats()).toHaveLength(2);
  expect(last().text).toMatch(/sunny[^]*rain/);
  expect(answers.map(({ events }) => usageOf(events)).filter(Boolean)).toHaveLength(2);
  const other = await chat({ messages, tools }, { scope: 'another client' });
  expect([other.text, other.warm]).toEqual(['Sunny and rain.', 'hit']);
  expect(last().text).toMatch(/Paris[^]*sunny[^]*Rome[^]*rain[^]*Continue with these/);
  expect(chats()).toHaveLength(3);
});

test.each(['gemini', 'qwen'])(
  'tools of any name reach the model of %s, in a history as they are offered',
  async (program) => {
    if (!canHaveTools(program)) return;
    await start(program);
    const names = [
      'a'.repeat(64),
      'a'.repeat(51),
      'a.b c',
      '__proto__',
      'constructor',
      'mcp__github__search',
      'read_file',
    ];
    const tools = names.map((name) => ({ name, parameters: { type: 'object', properties: {} } }));
    const made = names.flatMap((name, index): Message[] => [
      // Some servers count the calls of each turn anew.
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_0', name, arguments: '{}' }] },
      {
        role: 'tool',
        parts: [{ type: 'tool_result', callId: 'call_0', content: [{ type: 'text', text: `R${index}.` }] }],
      },
    ]);
    expect(await chat({ messages: [say('user', 'Go'), ...made], tools })).toMatchObject({ text: 'Hi.' });
    const offered = toolsOf(last()).map(({ name }) => name);
    expect(new Set(offered).size).toBe(names.length);
    const { contents, messages: sent } = last().body as { contents?: object; messages?: object };
    for (const name of offered) expect(JSON.stringify(contents ?? sent)).toContain(`"${name}"`);
    for (const index of names.keys()) expect(last().text).toContain(`R${index}.`);
    for (const name of offered) {
      answer = playing({ calls: [{ name, args: {} }] });
      const { events } = await chat({ messages: [say('user', name)], tools });
      expect(events).toContainEqual(expect.objectContaining({ type: 'tool_call', name: expect.any(String) as string }));
    }
  },
);

/** The tools that a request offers to the model. */
function toolsOf({ body }: HttpRequestRecord): { name: string }[] {
  const all = (body.tools ?? []) as { functionDeclarations?: { name: string }[]; function?: { name: string } }[];
  return all.flatMap((tool) => tool.functionDeclarations ?? (tool.function ? [tool.function] : []));
}

/** A red dot. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';
const TOOLS = [{ name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } }];
const looked = (id: string, ...content: ContentPart[]): Message[] => [
  { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'look', arguments: '{}' }] },
  { role: 'tool', parts: [{ type: 'tool_result', callId: id, content }] },
];

test('the model of gemini sees the images of results, also of those that no session holds', async () => {
  await start('gemini');
  answer = playing({ calls: [{ name: 'mcp_drivebay_look', args: {} }] }, { text: 'A dot.' });
  const asked = [say('user', 'What is there?')];
  const first = await chat({ messages: asked, tools: TOOLS });
  const { id } = first.events.find((event) => event.type === 'tool_call')!;
  const content: ContentPart[] = [
    { type: 'text', text: 'See' },
    { type: 'image', url: `data:image/png;base64,${IMAGE}` },
  ];
  const messages = [...asked, ...looked(id!, ...content)];
  expect(await chat({ messages, tools: TOOLS })).toMatchObject({ text: 'A dot.', warm: 'resumed' });
  expect(last().text).toContain(IMAGE);
  expect(await chat({ messages, tools: TOOLS }, { scope: 'another client' })).toMatchObject({
    text: 'A dot.',
    warm: 'hit',
  });
  const { contents } = last().body as { contents: { parts: object[] }[] };
  expect(contents.flatMap(({ parts }) => parts)).toContainEqual({ inlineData: { mimeType: 'image/png', data: IMAGE } });
});

test.each(['[{"n":1}]', '42', 'null', '{"n":1}'])('the model of gemini sees the result %s', async (text) => {
  await start('gemini');
  answer = playing({ calls: [{ name: 'mcp_drivebay_look', args: {} }] }, { text: 'Seen.' });
  const asked = [say('user', 'What is there?')];
  const first = await chat({ messages: asked, tools: TOOLS });
  const { id } = first.events.find((event) => event.type === 'tool_call')!;
  const messages = [...asked, ...looked(id!, { type: 'text', text })];
  expect(await chat({ messages, tools: TOOLS })).toMatchObject({ text: 'Seen.', warm: 'resumed' });
  const { contents } = last().body as { contents: { parts: { functionResponse?: { response: object } }[] }[] };
  const results = contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []));
  expect(results).toMatchObject([{ response: { output: expect.stringContaining(text) } }]);
});

test.each([
  ['gemini', 2_000_000, 'resumed'],
  ['qwen', 190_000, 'resumed'],
  // It would cut it in a session that waits.
  ['qwen', 2_000_000, 'hit'],
  ['gemini', 0, 'resumed'],
  ['qwen', 0, 'resumed'],
])('%s takes a result of %i letters whole', async (program, length, warm) => {
  if (!canHaveTools(program)) return;
  await start(program);
  answer = playing({ calls: [{ name: `${PREFIXES[program]}look`, args: {} }] }, { text: 'Seen.' });
  const asked = [say('user', 'What is there?')];
  const first = await chat({ messages: asked, tools: TOOLS });
  const { id } = first.events.find((event) => event.type === 'tool_call')!;
  const text = 'z'.repeat(length);
  const messages = [...asked, ...looked(id!, { type: 'text', text })];
  expect(await chat({ messages, tools: TOOLS })).toMatchObject({ text: 'Seen.', warm });
  expect(last().text).toContain(text);
  expect(chats()).toHaveLength(2);
});

test.each([
  ['letters', 'apple '],
  ['characters that JSON escapes', '"\n'],
])('gemini takes no long result out of a conversation (%s)', async (_name, piece) => {
  await start('gemini');
  answer = playing({ text: 'Hi.' });
  const count = Math.floor(170_000 / piece.length);
  const text = piece.repeat(count);
  const messages = [
    say('user', 'Look'),
    ...looked('a', { type: 'text', text }),
    ...looked('b', { type: 'text', text }),
    ...looked('c', { type: 'text', text: 'cherry' }),
  ];
  const written = JSON.stringify(text).slice(1, -1);
  for (const words of [[], [say('assistant', 'Hi.'), say('user', 'Again')]]) {
    expect(await chat({ messages: [...messages, ...words], tools: TOOLS })).toMatchObject({ text: 'Hi.' });
    expect(last().text.split(written)).toHaveLength(3);
    expect(last().text).toContain('cherry');
  }
  expect(chats()).toHaveLength(2);
});

test('a result that is long only as JSON stays whole on gemini', async () => {
  await start('gemini');
  answer = playing({ text: 'Hi.' });
  const text = '"'.repeat(110_000);
  const messages = [say('user', 'Look'), ...looked('a', { type: 'text', text }), ...looked('b')];
  expect(await chat({ messages, tools: TOOLS })).toMatchObject({ text: 'Hi.' });
  expect(last().text).toContain(JSON.stringify(text).slice(1, -1));
});

/** An answer of a model that has read nearly a whole window. */
const FULL: Record<string, () => HttpAnswer> = {
  gemini: () =>
    sse([lastCandidate('Hi.', { usageMetadata: { promptTokenCount: 1_000_000, candidatesTokenCount: 2 } })]),
  qwen: () => sse([delta('Hi.'), finish('stop'), usageChunk(1_000_000, 2), DONE]),
};

test.each(['gemini', 'qwen'])('%s sums up no conversation, however long it is', async (program) => {
  await start(program);
  answer = FULL[program]!;
  await warmUp();
  const messages = [say('user', 'One '.repeat(10_000))];
  for (const text of ['Two', 'Three']) {
    await chat({ messages });
    messages.push(say('assistant', 'Hi.'), say('user', text));
  }
  const { text, warm } = await chat({ messages });
  expect([text, warm]).toEqual(['Hi.', 'resumed']);
  expect(last().text).toContain('One '.repeat(10_000));
  expect(chats()).toHaveLength(4);
});

test('gemini says that a conversation is too long for the model', async () => {
  await start('gemini');
  const usageMetadata = { promptTokenCount: 1_048_000, candidatesTokenCount: 2 };
  answer = () => sse([lastCandidate('Hi.', { usageMetadata })]);
  await warmUp();
  const messages = [say('user', 'One')];
  await chat({ messages });
  messages.push(say('assistant', 'Hi.'), say('user', 'Two '.repeat(10_000)));
  await expect(chat({ messages })).rejects.toMatchObject({ code: 'rejected', kind: 'context_overflow' });
});
