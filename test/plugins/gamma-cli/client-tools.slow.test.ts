import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRequest, Message, Part } from 'drivebay/plugin';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';
import { failureOf, textOf, warmOf } from '../cli-harness';
import { Acp, type AcpMessage, isAcp, refusal } from './acp';
import { start } from './harness';
import { toolCallingProgram } from './tool-calling-program';

const before = process.env;
const WEATHER = {
  name: 'get.weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

let harness: Awaited<ReturnType<typeof start>>;
let home: TempHome;
let program: ReturnType<typeof toolCallingProgram>;

beforeEach(() => {
  home = new TempHome();
  mkdirSync(join(home.directory, '.gemini'));
  process.env = { ...before, GEMINI_CLI_HOME: home.directory };
});

afterEach(async () => {
  await harness.driver.close();
  await harness.close();
  process.env = before;
  home.remove();
});

async function open(options: Parameters<typeof start>[0] = {}, name: 'gemini' | 'qwen' = 'gemini'): Promise<void> {
  program = toolCallingProgram(home.directory, name);
  harness = await start({ warm: true, command: program.command, ...options });
}

/** Lets the program have a list of projects, as it has after its first session. */
async function knowProject(): Promise<void> {
  const projects = { [join(await harness.open.context.scratch(), 'warm')]: 'warm' };
  writeFileSync(join(home.directory, '.gemini/projects.json'), JSON.stringify({ projects }));
}

/** With a program that the test plays. */
async function openPlayed(acp: Acp, options: Parameters<typeof start>[0] = {}): Promise<void> {
  harness = await start({ warm: true, ...options });
  harness.cli.converse(acp);
  await knowProject();
}

const say = (role: Message['role'], ...parts: (Part | string)[]): Message => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});

async function ask(messages: Message[], more: Partial<ChatRequest> = {}, scope = 'one') {
  const events = await harness.chat({ messages, tools: [WEATHER], ...more }, { scope });
  const called = events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));
  return { text: textOf(events), warm: warmOf(events), events, called, end: events.at(-1) };
}

type Called = Awaited<ReturnType<typeof ask>>['called'][number];

/** What a client sends when it has run the tool. */
const ran = (text: string, { id, name, arguments: args }: Called, result: string): Message[] => [
  say('assistant', ...(text === '' ? [] : [text]), { type: 'tool_call', id: id!, name: name!, arguments: args! }),
  say('tool', { type: 'tool_result', callId: id!, content: [{ type: 'text', text: result }] }),
];

const waiting = () => harness.open.kept.list().filter(({ state }) => state === 'waiting').length;
const received = (method: string) => program.received().filter((message) => message.method === method);
const prompts = () => received('session/prompt').map(({ params }) => params.prompt![0]!.text);

test.each(['[{"city":"Paris"}]', '42', 'true', 'null', '"sunny"', '{"sky":"blue"}'])(
  'a result that is JSON, such as %s, is a result',
  async (result) => {
    await open();
    const asked = [say('user', 'Weather Paris')];
    const first = await ask(asked);
    const second = await ask([...asked, ...ran(first.text, first.called[0]!, result)]);
    expect(second).toMatchObject({ text: result, warm: 'resumed' });
  },
);

test('the model calls the tool of a client, waits for the result, and goes on with it', async () => {
  await open();
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  expect(first).toMatchObject({
    ...{ text: 'Let me look.', warm: 'cold', end: { type: 'finish', reason: 'tool_calls' } },
    called: [{ id: expect.stringMatching(/^call_\w{32}$/), name: 'get.weather', arguments: '{"city":"Paris"}' }],
  });
  expect(waiting()).toBe(1);
  const messages = [...asked, ...ran(first.text, first.called[0]!, 'sunny')];
  const second = await ask(messages);
  expect(second).toMatchObject({ text: 'sunny', warm: 'resumed', end: { reason: 'stop' } });
  const third = await ask([...messages, say('assistant', 'sunny'), say('user', 'Thanks')]);
  expect(third).toMatchObject({ text: 'Thanks!', warm: 'resumed' });
  expect(prompts()).toEqual(['Weather Paris', 'Thanks']);
  expect(received('initialize')).toHaveLength(1);
});

test('results for a turn that has ended meanwhile go to another session of the same program', async () => {
  await open();
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  expect((await ask([say('user', 'Give up')], { tools: [] }, 'other')).text).toBe('Give up!');
  expect((await ask([...asked, ...ran(first.text, first.called[0]!, 'sunny')])).text).toBe('sunny');
  expect(received('initialize')).toHaveLength(1);
});

test('calls come one after the other, each as an answer of its own', async () => {
  await open();
  let messages = [say('user', 'Weather Paris Rome')];
  const texts: string[] = [];
  for (const result of ['sunny', 'rain']) {
    const { text, called } = await ask(messages);
    texts.push(text, called[0]!.arguments!);
    messages = [...messages, ...ran(text, called[0]!, result)];
  }
  expect((await ask(messages)).text).toBe('sunnyrain');
  expect(texts).toEqual(['Let me look.', '{"city":"Paris"}', '', '{"city":"Rome"}']);
});

test.each<[string, (messages: Message[]) => Message[], string]>([
  ['an edited history', ([, ...rest]) => [say('user', 'Weather in Paris'), ...rest], 'one'],
  ['another client', (messages) => messages, 'other'],
  ['a new question beside the results', (messages) => [...messages, say('user', 'And now?')], 'one'],
])('with %s the conversation is told anew, and no waiting call is answered', async (_name, change, scope) => {
  await open();
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  const messages = change([...asked, ...ran(first.text, first.called[0]!, 'sunny')]);
  const second = await ask(messages, {}, scope);
  expect(second).toMatchObject({ warm: 'hit', end: { reason: 'stop' } });
  expect(prompts().at(-1)).toBe(messages.at(-1)!.role === 'user' ? 'And now?' : 'Continue with these tool results.');
  expect(waiting()).toBe(scope === 'one' ? 0 : 1);
  expect(received('session/cancel')).toHaveLength(scope === 'one' ? 1 : 0);
});

test('a program that dies while it waits costs time, and no answer', async () => {
  await open();
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  for (const pid of program.processes()) process.kill(pid, 'SIGKILL');
  await until(() => waiting() === 0);
  const second = await ask([...asked, ...ran(first.text, first.called[0]!, 'sunny')]);
  expect(second).toMatchObject({ text: 'sunny', warm: 'cold', end: { reason: 'stop' } });
  expect(harness.warnings).toEqual([expect.stringMatching(/gone: gemini was ended by SIGKILL/)]);
});

test('Qwen Code is asked when it knows the tools, tells the tokens of each part, and makes one call after the other', async () => {
  await open({}, 'qwen');
  let messages = [say('user', 'Weather Paris Rome')];
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (const result of ['sunny', 'rain', undefined]) {
    const answer = await ask(messages);
    answers.push(answer);
    if (result !== undefined) messages = [...messages, ...ran(answer.text, answer.called[0]!, result)];
  }
  expect(answers.map(({ text, warm, called }) => [text, warm, called[0]?.name, called[0]?.arguments])).toEqual([
    ['Let me look.', 'cold', 'get.weather', '{"city":"Paris"}'],
    ['', 'resumed', 'get.weather', '{"city":"Rome"}'],
    ['sunnyrain', 'resumed', undefined, undefined],
  ]);
  expect(answers[0]!.events).toContainEqual(expect.objectContaining({ type: 'usage', inputTokens: 10 }));
  expect(prompts()).toEqual(['Weather Paris Rome']);
});

test('where Qwen Code ends before it has asked for the tools, the chat fails at once', async () => {
  await open({}, 'qwen');
  const source = readFileSync(program.command, 'utf8');
  writeFileSync(
    program.command,
    source.replace('if (isQwen) setTimeout', 'if (isQwen) return process.exit(3); setTimeout'),
  );
  const began = performance.now();
  expect(await failureOf(ask([say('user', 'Weather Paris')]))).toMatchObject({ code: 'upstream' });
  // The time limit for the question is 20 s.
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('Qwen Code gets a result that it would cut in a session that it loads, and none with an image', async () => {
  await open({}, 'qwen');
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  const called = first.called[0]!;
  const long = await ask([...asked, ...ran(first.text, called, 'x'.repeat(200_001))]);
  expect([long.warm, prompts().at(-1)]).toEqual(['hit', 'Continue with these tool results.']);
  const [call] = ran(first.text, called, '');
  const image: Part = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' };
  const result = say('tool', { type: 'tool_result', callId: called.id!, content: [image] });
  await expect(ask([...asked, call!, result])).rejects.toMatchObject({ code: 'invalid_request' });
});

test('Qwen Code before 0.24 has no tools of clients, and says so', async () => {
  harness = await start({}, {}, 'qwen');
  expect(await failureOf(ask([say('user', 'Weather Paris')]))).toMatchObject({
    ...{ code: 'invalid_request', param: 'tools' },
    message: expect.stringContaining('before 0.24'),
    hint: expect.stringMatching(/Node\.js 22; or set client_tools: false/),
  });
  expect(harness.cli.runs).toEqual([]);
});

test('the lock that another program has left is gone before one starts', async () => {
  const lock = join(home.directory, '.gemini/projects.json.lock');
  let met: boolean | undefined;
  const acp = new Acp({
    instead: ({ method }) => {
      if (method === 'initialize') met = existsSync(lock);
      return undefined;
    },
  });
  await openPlayed(acp);
  mkdirSync(lock);
  await ask([say('user', 'Hello')]);
  expect(met).toBe(false);
});

test('a history with calls and results is loaded as it was', async () => {
  let file = '';
  const folder = join(home.directory, '.gemini/tmp/warm/chats');
  const acp = new Acp({
    repeats: { before: 3 },
    instead: ({ method }) => {
      if (method === 'session/load') file = readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8');
      return undefined;
    },
  });
  await openPlayed(acp);
  const call = { id: 'call_a', name: 'get.weather', arguments: '{"city":"Paris"}' } as Called;
  await ask([say('user', 'Weather?'), ...ran('Let me look.', call, 'sunny')]);
  const name = expect.stringMatching(/^mcp_drivebay_get_weather_/) as string;
  expect(JSON.parse(file.trim().split('\n').at(-1)!)).toMatchObject({
    ...{ type: 'gemini', content: 'Let me look.' },
    toolCalls: [
      {
        ...{ id: 'call_a', name, args: { city: 'Paris' }, status: 'success' },
        result: [{ functionResponse: { id: 'call_a', name, response: { output: 'sunny' } } }],
      },
    ],
  });
});

test('a history that cannot be loaded is laid out as a text', async () => {
  const instead = ({ id, method }: AcpMessage) =>
    method === 'session/load' ? [refusal(id, { code: -32603, message: 'No previous sessions found' })] : undefined;
  const acp = new Acp({ instead });
  await openPlayed(acp);
  const call = { id: 'call_a', name: 'get.weather', arguments: '{}' } as Called;
  const { end } = await ask([say('user', 'Weather?'), ...ran('Let me look.', call, 'sunny')]);
  expect(end).toMatchObject({ reason: 'stop' });
  expect(acp.asked[0]!.prompt).toMatch(/Weather\?[^]*Let me look[^]*sunny/);
});

test('results that belong to no call, and calls without a result, are refused', async () => {
  await open();
  const call = { id: 'call_a', name: 'get.weather', arguments: '{}' } as Called;
  const [called, result] = ran('', call, 'sunny');
  for (const messages of [
    [say('user', 'Weather?'), result!],
    [say('user', 'Weather?'), called!, say('user', 'So?')],
  ]) {
    await expect(ask(messages)).rejects.toMatchObject({ code: 'invalid_request' });
  }
  expect(harness.open.kept.list()).toEqual([]);
});

test('a choice of a tool that has no equivalent is refused, and asks nothing', async () => {
  await open();
  const before = harness.cli.runs.length;
  for (const value of ['any', { type: 'allowed_tools' }]) {
    const asked = ask([say('user', 'Weather Paris')], { toolChoice: { type: 'other', value } });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_request', param: 'tool_choice' });
  }
  expect(harness.cli.runs).toHaveLength(before);
});

test('without client_tools a chat is as before', async () => {
  harness = await start({ client_tools: false, warm: false });
  const { events } = await ask([say('user', 'Weather Paris')]);
  expect(events.some(({ type }) => type === 'tool_call')).toBe(false);
  expect(harness.cli.runs.some(isAcp)).toBe(false);
});

test('with warm: false a program is there for a conversation with tools only', async () => {
  await open({ warm: false });
  const asked = [say('user', 'Weather Paris')];
  const first = await ask(asked);
  const second = await ask([...asked, ...ran(first.text, first.called[0]!, 'sunny')]);
  expect([first.warm, second.warm, second.text]).toEqual(['cold', 'resumed', 'sunny']);
  await until(() => harness.open.kept.list().length === 0);
});

test('a program that cannot have tools says how to do without', async () => {
  await open({ extra_args: ['-o', 'json'] });
  expect(await harness.failure({ messages: [say('user', 'Weather Paris')], tools: [WEATHER] })).toMatchObject({
    hint: expect.stringContaining('client_tools: false'),
  });
});

const refusing = (refused: string, error: Record<string, unknown>) =>
  new Acp({ instead: ({ id, method }) => (method === refused ? [refusal(id, error)] : undefined) });
const failure = () => harness.failure({ messages: [say('user', 'Weather Paris')], tools: [WEATHER] });

test('a program that ends before it listens is told of with its last words', async () => {
  const words = { stderr: 'Error: no room\n' };
  await openPlayed(new Acp({ instead: ({ method }) => (method === 'initialize' ? [words, { exit: 3 }] : undefined) }));
  const message = 'gemini ended with exit code 3: Error: no room';
  const hint = expect.stringMatching(/^see what it does: run: .*gemini'? -p hello$/) as string;
  expect(await failure()).toMatchObject({ code: 'upstream', kind: 'crashed', message, hint });
});

test.each(['initialize', 'session/new'])('a program that is killed at %s is told of as such', async (last) => {
  await openPlayed(new Acp({ instead: ({ method }) => (method === last ? [{ die: 'SIGKILL' }] : undefined) }));
  const hint = expect.stringContaining('memory') as string;
  expect(await failure()).toMatchObject({ kind: 'crashed', message: 'gemini was ended by SIGKILL', hint });
});

test('a program without a login says so, and how to log in', async () => {
  await openPlayed(refusing('session/new', { code: -32000, message: 'Authentication required' }));
  expect(await failure()).toMatchObject({
    ...{ code: 'auth', kind: 'login_required', message: 'gemini: Authentication required' },
    hint: expect.stringMatching(/ in a terminal and log in/),
  });
});

test('a program that cannot be run is explained as such', async () => {
  await openPlayed(new Acp());
  chmodSync(harness.cli.command, 0o644);
  expect(await failure()).toMatchObject({ code: 'not_installed' });
});

test('a session that refuses its model ends, and with it the server of its tools', async () => {
  let url = '';
  const acp = new Acp({
    instead: ({ id, method, params }) => {
      if (method === 'session/new' && params.mcpServers?.[0]) url = params.mcpServers[0].url as string;
      return method === 'session/set_model' ? [refusal(id, { code: -32603, message: 'no' })] : undefined;
    },
  });
  await openPlayed(acp);
  expect(await failureOf(ask([say('user', 'Weather Paris')], { model: 'other' }))).toMatchObject({ code: 'upstream' });
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
