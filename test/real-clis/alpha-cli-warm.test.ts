import { setTimeout as pause } from 'node:timers/promises';
import type { ChatEvent, ChatRequest, Message } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, json, STALL } from 'drivebay/testing';
import createDriver, { type AlphaCliDriver } from '../../plugins/alpha-cli';
import type { Options } from '../../plugins/alpha-cli/options';
import { DEFAULTS } from '../plugins/alpha-cli/harness';
import { textOf } from '../plugins/cli-harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { answers } from './claude-answers';
import { installedCli } from './installed-cli';
import { processesGone } from './left-processes';

const claude = process.env.WARM_CLAUDE ?? installedCli('claude');

let upstream: FakeHttpServer;
let open: OpenContext<Options>;
let driver: AlphaCliDriver;
let answer: HttpAnswer;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
  // The program greets its backend with requests that are no chats.
  upstream.answer(({ method, path }) => (method === 'POST' && path.startsWith('/v1/messages') ? answer : json({})));
  open = new OpenContext<Options>(
    'alpha-cli',
    { ...DEFAULTS, command: claude, api_key_env: 'MY_KEY', warm: true },
    {
      ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
    },
  );
  driver = createDriver(open.context);
});

afterEach(async () => {
  await driver.close();
  await open.close();
  await upstream.close();
});

/** What the backend answers from now on. */
const play = (next: HttpAnswer) => void (answer = next);

const chats = () =>
  upstream.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/messages'));

const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

interface Chatted {
  text: string;
  warm: string | undefined;
  events: ChatEvent[];
  ms: number;
}

async function chat(request: Partial<ChatRequest> = {}, signal?: AbortSignal): Promise<Chatted> {
  const call = { ...newCall(signal), deadline: Date.now() + 120_000, log: open.context.log, scope: 'the test' };
  const events: ChatEvent[] = [];
  const started = performance.now();
  let ms = 0;
  for await (const event of driver.chat(chatRequest({ model: 'claude-opus-4-8', ...request }), call)) {
    if (event.type === 'text') ms ||= performance.now() - started;
    events.push(event);
  }
  const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []));
  return { text: textOf(events), warm: warm[0], events, ms };
}

/** Resolves when a program is ready for the next chat. */
async function untilReady(): Promise<void> {
  while (!open.kept.list().some(({ state }) => state === 'spare')) await pause(20);
}

/** Asks once, so that the next chat finds a program. */
async function warmUp(): Promise<void> {
  play(answers('Hi.'));
  const { text, warm } = await chat({ messages: [say('system', 'Be the first'), say('user', 'The first')] });
  expect([text, warm]).toEqual(['Hi.', 'cold']);
  await untilReady();
}

const last = () => chats().at(-1)!;
interface SentMessage {
  role: string;
  content: { text: string }[];
}

/** The texts of the user and the model, without what the program adds, in whichever form its version has. */
const turns = (): string[][] =>
  (last().body.messages as SentMessage[])
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content.map(({ text }) => text).filter((text) => !text.includes('<system-reminder>')));

test('a program that is ready has what the request says, and nothing of the one before', async () => {
  await warmUp();
  const request = { maxTokens: 777, messages: [say('system', 'Be a parrot'), say('user', 'Grüße')] };
  const { text, warm, events } = await chat(request);
  expect([text, warm, events.at(-1)]).toEqual(['Hi.', 'hit', { type: 'finish', reason: 'stop' }]);
  const { body, headers } = last();
  expect(body).toMatchObject({ model: 'claude-opus-4-8', max_tokens: 777, tools: [] });
  expect(headers).toMatchObject({ 'x-api-key': 'key-of-the-test' });
  expect(body.system.at(-1).text).toBe('Be a parrot');
  expect(turns()).toEqual([['Grüße']]);
  expect(last().text).not.toContain('The first');
  expect(last().text).not.toContain('Be the first');
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: 985, outputTokens: 12 });
});

test.each(['@/etc/hostname', '/clear', '/help me', '!ls', '# x'])('%s is plain text for it', async (text) => {
  await warmUp();
  expect(await chat({ messages: [say('user', text)] })).toMatchObject({ text: 'Hi.', warm: 'hit' });
  expect(turns().flat().join('').trim()).toBe(text);
});

test('a conversation goes on in its program: the next request repeats the last one, and pays for itself', async () => {
  await warmUp();
  const messages = [say('system', 'Be a parrot'), say('user', 'One')];
  const first = await chat({ messages });
  const before = last().body;
  const second = await chat({ messages: [...messages, say('assistant', 'Hi.'), say('user', 'Two')] });
  expect([first.warm, second.warm, second.text]).toEqual(['hit', 'resumed', 'Hi.']);
  const { body } = last();
  expect(turns()).toEqual([['One'], ['Hi.'], ['Two']]);
  expect(body.system.map(({ text }: { text: string }) => text)).toEqual(
    before.system.map(({ text }: { text: string }) => text),
  );
  const [one, two] = [first, second].map(({ events }) => events.find(({ type }) => type === 'usage'));
  expect(two).toEqual(one);
});

test('a conversation that no program holds is told in its turns', async () => {
  await warmUp();
  const messages = [say('user', 'One'), say('assistant', 'I.'), say('user', '/clear'), say('assistant', 'II.')];
  expect(await chat({ messages: [...messages, say('user', 'Three')] })).toMatchObject({ text: 'Hi.', warm: 'hit' });
  expect(turns()).toEqual([['One'], ['I.'], ['\n/clear'], ['II.'], ['Three']]);
  expect(chats()).toHaveLength(2);
});

test('when the client leaves, its program ends, and the one that is ready stays', async () => {
  await warmUp();
  play(answers('Hi.', [STALL]));
  const abort = new AbortController();
  const chatting = chat({}, abort.signal).catch((error: unknown) => error);
  await upstream.until(() => chats().length === 2);
  const number = upstream.requests.indexOf(last()) + 1;
  abort.abort(new Error('left'));
  expect(await chatting).toMatchObject({ code: 'canceled' });
  await upstream.clientClosed(number);
  play(answers('Hi.'));
  await untilReady();
  expect((await chat()).warm).toBe('hit');
});

test('nothing is left when the driver closes, with a program ready and one that holds a conversation', async () => {
  await warmUp();
  await chat();
  await untilReady();
  expect(
    open.kept
      .list()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['conversation', 'spare']);
  await driver.close();
  open.kept.close();
  await open.programs.close();
  await processesGone(open.home.directory);
});
