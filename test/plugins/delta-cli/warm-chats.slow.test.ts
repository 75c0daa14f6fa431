import { readdirSync, utimesSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatEvent, ChatRequest, Message } from 'drivebay/plugin';
import { type CliRunRecord, type CliStep, HANG } from 'drivebay/testing';
import type { Fields } from '../../../plugins/_shared/fields';
import { until } from '../../setup/until';
import { textOf } from '../cli-harness';
import { says as say } from '../messages';
import { recordedLines } from '../recordings';
import {
  appServer,
  completed,
  delta,
  inThread,
  isServer,
  item,
  refuses,
  type Sent,
  sentBy,
  tokens,
} from './app-server-script';
import { HELLO, start } from './harness';

type Script = Parameters<typeof appServer>[0];

let harness: Awaited<ReturnType<typeof start>>;

afterEach(async () => {
  await harness.driver.close();
  await harness.close();
});

const asked = ({ params }: Sent): string => (params!.input as Fields[]).map(({ text }) => text).join('');
const message = (text: string) => item({ type: 'agentMessage', id: 'msg_1', text });
/** Repeats what it was asked. */
const echo = (sent: Sent): CliStep[] => [delta(`${asked(sent)}!`), message(`${asked(sent)}!`), tokens(7, 2), completed];

async function open(script: Partial<Script> = {}, options: Parameters<typeof start>[0] = {}): Promise<void> {
  harness = await start({ warm: true, ...options });
  harness.script(HELLO, ({ argv }) => (argv[0] === 'debug' ? [] : undefined));
  harness.cli.converse(appServer({ turn: echo, ...script }));
}

const servers = (): CliRunRecord[] => harness.cli.runs.filter(isServer);
const sent = (method: string): Fields[] =>
  servers().flatMap((run) => sentBy(run).flatMap(({ method: is, params }) => (is === method ? [params!] : [])));

async function ask(messages: string | Message[], more: Partial<ChatRequest> = {}, scope: string | undefined = 'one') {
  const all = typeof messages === 'string' ? [say('user', messages)] : messages;
  const events = await harness.chat({ messages: all, stream: true, ...more }, { scope });
  const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : [])).at(-1);
  return { text: textOf(events), warm, events };
}

const usageOf = (events: ChatEvent[]) => events.find(({ type }) => type === 'usage');

/** Asks once, so that the next chat finds a program. */
async function warmUp(): Promise<number> {
  expect(await ask('One')).toMatchObject({ text: 'Hello', warm: 'cold' });
  return harness.untilReady();
}

test('the first chat is a run of its own, and all further ones share a program, each with a thread', async () => {
  await open();
  const pid = await warmUp();
  const answers = await Promise.all(['Two', 'Three', 'Four'].map((text) => ask(text)));
  expect(answers).toMatchObject(['Two', 'Three', 'Four'].map((text) => ({ text: `${text}!`, warm: 'hit' })));
  expect(answers[0]!.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  expect(servers().map((run) => run.pid)).toEqual([pid]);
  expect(new Set(sent('turn/start').map(({ threadId }) => threadId)).size).toBe(3);
});

test('the program has the settings of a chat and the arguments of the user, and a folder of its own for its logs', async () => {
  await open({}, { extra_args: ['-c', 'model_verbosity="high"', '--enable', 'x'] });
  await warmUp();
  const { argv, env } = servers()[0]!;
  expect(argv.join(' ')).toMatch(
    /^app-server -c features\.unbounded_connection_retries=false .*-c features\.shell_tool=false .*-c thread_unload_delay_secs=0 .*-c model_verbosity="high" --enable x$/,
  );
  const scratch = await harness.open.context.scratch();
  expect(env).toMatchObject({ CODEX_EXEC_SERVER_URL: 'none', CODEX_SQLITE_HOME: expect.stringContaining(scratch) });
  expect(env.CODEX_SQLITE_HOME).not.toBe(scratch);
});

test.each(['is ready', 'is starting'])('nothing is left of a program that %s when the driver closes', async (state) => {
  await open();
  const scratch = await harness.open.context.scratch();
  const folders = (): string[] => readdirSync(scratch).filter((name) => name.startsWith('app-server-'));
  if (state === 'is ready') await warmUp();
  else await ask('One');
  await until(() => folders().length > 0);
  await harness.driver.close();
  expect(servers().every(({ ended }) => ended)).toBe(true);
  expect(folders()).toEqual([]);
});

test('a driver that closes does not wait for the list of models that a start asks for, and starts nothing after it', async () => {
  await open();
  const isAsked = () => harness.cli.runs.some(({ argv }) => argv[0] === 'debug');
  harness.script(HELLO, ({ argv }) => (argv[0] === 'debug' ? [HANG] : undefined));
  await ask('One');
  await harness.cli.until(isAsked);
  const began = performance.now();
  await harness.driver.close();
  // The list has 10 s.
  expect(performance.now() - began).toBeLessThan(9_000);
  await harness.cli.until(() => harness.cli.runs.every(({ ended }) => ended));
  expect(servers()).toEqual([]);
  expect(readdirSync(await harness.open.context.scratch()).filter((name) => name.startsWith('app-server-'))).toEqual(
    [],
  );
});

test('a thread has what its request says, and no other', async () => {
  await open({}, { sandbox_mode: 'read-only' });
  await warmUp();
  const cwd = await harness.open.context.scratch();
  await ask(
    [say('system', 'Be brief'), say('developer', 'Be kind'), say('user', 'Two')],
    { reasoningEffort: 'high' },
    'a',
  );
  await ask('Three', { model: undefined }, 'b');
  const fixed = { ephemeral: true, approvalPolicy: 'never', sandbox: 'read-only', environments: [], cwd };
  expect(sent('thread/start')).toEqual([{ ...fixed, model: 'm', baseInstructions: 'Be brief\n\nBe kind' }, fixed]);
  const [two, three] = sent('turn/start');
  expect([two!.effort, three!.effort]).toEqual(['high', undefined]);
});

test('a conversation goes on in its thread, which hears only what is new, and pays for itself', async () => {
  let total = 0;
  await open({ turn: (line) => [delta(`${asked(line)}!`), tokens((total += 7), total), completed] });
  await warmUp();
  const second = await ask('Two');
  const next = [say('user', 'Two'), say('assistant', 'Two!'), say('system', 'In French'), say('user', 'Three')];
  const third = await ask(next);
  expect(third).toMatchObject({ text: 'Three!', warm: 'resumed' });
  const [two, three] = sent('turn/start');
  expect(three!.threadId).toBe(two!.threadId);
  const content = [{ type: 'input_text', text: 'In French' }];
  expect(sent('thread/inject_items')).toMatchObject([{ items: [{ type: 'message', role: 'developer', content }] }]);
  for (const { events } of [second, third]) {
    expect(usageOf(events)).toMatchObject({ inputTokens: 7, outputTokens: 7 });
  }
});

test.each<[string, Message[], Partial<ChatRequest>, string | undefined]>([
  ['of another client', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], {}, 'other'],
  ['that was edited', [say('user', 'Two'), say('assistant', 'Two?'), say('user', 'Three')], {}, 'one'],
  ['with another model', [say('user', 'Two'), say('assistant', 'Two!'), say('user', 'Three')], { model: 'n' }, 'one'],
])('a conversation %s begins anew, with its turns', async (_name, messages, more, scope) => {
  await open();
  await warmUp();
  await ask('Two');
  expect(await ask(messages, more, scope)).toMatchObject({ text: 'Three!', warm: 'hit' });
  expect(sent('thread/inject_items')).toMatchObject([
    {
      items: [
        { role: 'user', content: [{ type: 'input_text', text: 'Two' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: textIn(messages[1]!) }] },
      ],
    },
  ]);
});

const textIn = ({ parts }: Message) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('what fits no turns is laid out as one text', async () => {
  await open();
  await warmUp();
  const { text } = await ask([say('user', 'Two'), say('assistant', 'Hello')]);
  expect(text).toMatch(/<message role="user">[^]*Two[^]*Hello/);
});

test('a chat whose answer is not streamed has the same one', async () => {
  await open();
  await warmUp();
  expect(await ask('Two', { stream: false })).toMatchObject({ text: 'Two!', warm: 'hit' });
});

test.each([
  ['401', { code: 'auth', kind: 'login_required', status: 401 }],
  ['usage-limit', { code: 'rate_limited', kind: 'usage_limit', retryAfterS: expect.any(Number) }],
  ['400', { code: 'rejected', message: 'codex: Invalid request.' }],
])('the failure "%s" is the same as of a run', async (name, expected) => {
  await open({ turn: () => recordedLines('codex', name).map((line) => JSON.parse(line) as Fields) });
  const pid = await warmUp();
  await expect(ask('Two')).rejects.toMatchObject(expected);
  // The program keeps the login with which it started.
  if (name === '401') expect((await ask('Three')).warm).toBe('cold');
  else expect(await harness.untilReady()).toBe(pid);
});

test('a lost login is known at the first notice, and what goes on is interrupted', async () => {
  const lines = recordedLines('codex', '401-default-retries').map((line) => JSON.parse(line) as Fields);
  const first = lines.findIndex(({ type }) => type === 'error');
  await open({ turn: () => lines.slice(0, first + 1) });
  await warmUp();
  await expect(ask('Two')).rejects.toMatchObject({ code: 'auth', kind: 'login_required' });
  await harness.cli.until(() => sent('thread/unsubscribe').length === 1);
  expect(sent('turn/interrupt')).toEqual([{ threadId: 'thread-1', turnId: 'turn-1' }]);
});

test('of two chats one is cancelled: its turn ends, and the other goes on', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await open({ turn: (line) => (asked(line) === 'Two' ? [delta('Hel')] : [() => held, ...echo(line)]) });
  await warmUp();
  const abort = new AbortController();
  const request = { model: 'm', stream: true, messages: [say('user', 'Two')], extra: {} };
  const cancelled = (async () => {
    const chatting = harness.driver.chat(request, harness.call({ signal: abort.signal, scope: 'one' }));
    for await (const { type } of chatting) if (type === 'text') abort.abort(new Error('left'));
  })();
  await expect(cancelled).rejects.toMatchObject({ code: 'canceled' });
  const other = ask('Three');
  await harness.cli.until(() => sent('turn/interrupt').length === 1);
  expect(sent('turn/interrupt')).toEqual([{ threadId: 'thread-1', turnId: 'turn-1' }]);
  release();
  expect(await other).toMatchObject({ text: 'Three!', warm: 'hit' });
  expect(servers()).toHaveLength(1);
});

test.each<[string, Partial<Script>]>([
  ['refuses threads', { other: (line) => (line.method === 'thread/start' ? [refuses(line)] : undefined) }],
  ['refuses the turn', { other: (line) => (line.method === 'turn/start' ? [refuses(line)] : undefined) }],
  ['ends at the request', { other: (line) => (line.method === 'thread/start' ? [{ exit: 3 }] : undefined) }],
  ['ends before its first word', { turn: () => [{ exit: 3 }] }],
])('a program that %s costs time, and no answer', async (_name, script) => {
  await open(script);
  await warmUp();
  expect(await ask('Two')).toMatchObject({ text: 'Hello', warm: 'cold' });
});

test('a program that ends in the middle of an answer says so, with its last words', async () => {
  await open({ turn: () => [delta('Hel'), { stderr: 'thread panicked: out of luck\n' }, { exit: 101 }] });
  await warmUp();
  await expect(ask('Two')).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('out of luck') });
});

test('a program that is killed is told of as such, also where another chat has not begun yet', async () => {
  await open({
    turn: () => [delta('Hel')],
    other: (line) => (line.method === 'turn/start' && asked(line) === 'Two' ? [] : undefined),
  });
  const pid = await warmUp();
  const begins = ask('Two');
  await harness.cli.until(() => sent('turn/start').length === 1);
  const answered = (async () => {
    const request = { model: 'm', stream: true, messages: [say('user', 'Three')], extra: {} };
    for await (const { type } of harness.driver.chat(request, harness.call({ scope: 'one' }))) {
      if (type === 'text') process.kill(pid, 'SIGKILL');
    }
  })();
  await expect(answered).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('SIGKILL') });
  expect(await begins).toMatchObject({ text: 'Hello', warm: 'cold' });
});

test('a program that died while nobody needed it is not asked', async () => {
  await open();
  const pid = await warmUp();
  await ask('Two');
  await ask('Another');
  process.kill(pid, 'SIGKILL');
  await until(() => harness.warnings.length > 0);
  expect(harness.open.kept.list()).toEqual([]);
  expect(await ask('Three')).toMatchObject({ text: 'Hello', warm: 'cold' });
  expect(harness.warnings).toEqual([expect.stringMatching(/gone: codex was ended by SIGKILL/)]);
});

test('a program that was replaced is not used in its old version', async () => {
  await open();
  const first = await warmUp();
  utimesSync(harness.cli.command, new Date(), new Date(Date.now() - 100_000));
  expect(await ask('Two')).toMatchObject({ warm: 'cold' });
  await harness.untilReady([first]);
  await harness.cli.until(() => servers()[0]!.ended);
  expect(await ask('Three')).toMatchObject({ text: 'Three!', warm: 'hit' });
});

test.each<[string, Partial<Script>]>([
  ['never becomes ready', { other: (line) => (line.method === 'initialize' ? [refuses(line)] : undefined) }],
  ['never takes a chat', { other: (line) => (line.method === 'thread/start' ? [refuses(line)] : undefined) }],
])('a program that %s is tried three times', async (_name, script) => {
  await open(script);
  for (let count = 0; count < 6; count += 1) {
    const before = servers().length;
    await ask('One');
    await harness.cli.until(() => count > 2 || servers().length > before || servers().length === 3);
    await until(() => harness.open.kept.list().length > 0 || servers().every(({ ended }) => ended));
  }
  expect(servers()).toHaveLength(3);
});

test('a program that never says that it is ready holds up no chat, and ends with the driver', async () => {
  await open({ other: ({ method }) => (method === 'initialize' ? [] : undefined) });
  for (let count = 0; count < 3; count += 1) expect(await ask('One')).toMatchObject({ text: 'Hello', warm: 'cold' });
  await harness.cli.until(() => servers().length === 1);
  await harness.driver.close();
  await harness.untilGone();
});

test('a program that refuses one chat stays for the others', async () => {
  await open({ other: (line) => (line.params?.model === 'odd' ? [refuses(line)] : undefined) });
  await warmUp();
  for (const text of ['Two', 'Three', 'Four', 'Five']) {
    expect(await ask(text)).toMatchObject({ text: `${text}!`, warm: 'hit' });
    expect(await ask(text, { model: 'odd' })).toMatchObject({ warm: 'cold' });
  }
  expect(servers()).toHaveLength(1);
});

test('programs that fail now and then are kept all the same', async () => {
  let count = 0;
  await open({
    other: (line) => (line.method === 'thread/start' && (count += 1) % 2 === 0 ? [{ exit: 3 }] : undefined),
  });
  const pids = [await warmUp()];
  for (let round = 0; round < 4; round += 1) {
    expect(await ask('Two')).toMatchObject({ warm: 'hit' });
    expect(await ask('Three')).toMatchObject({ warm: 'cold' });
    pids.push(await harness.untilReady(pids));
  }
});

test('what the program asks of a client that does not know it is refused', async () => {
  await open({ turn: (line) => [{ id: 'q1', method: 'item/tool/requestUserInput', params: {} }, ...echo(line)] });
  await warmUp();
  await ask('Two');
  expect(sentBy(servers()[0]!)).toContainEqual({ id: 'q1', error: expect.objectContaining({ code: -32601 }) });
});

test.each([
  ['warm: false', { warm: false }],
  ['warm_max: 0', { warm_max: 0 }],
  ['arguments that work against it', { extra_args: ['--yolo'] }],
  ['arguments that it does not know', { extra_args: ['--profile', 'x'] }],
  ['its own tools', { gateway_tools: true }],
])('with %s nothing is kept', async (_name, options) => {
  await open({}, options);
  for (const text of ['One', 'Two']) expect((await ask(text)).text).toBe('Hello');
  expect([harness.open.kept.list(), servers()]).toEqual([[], []]);
});

test('an agent process has a program of its own', async () => {
  await open();
  await warmUp();
  await harness.chat({}, { workspace: { skills: [], first: true } });
  expect(sent('thread/start')).toEqual([]);
});

const tools = [{ name: 'f', parameters: { type: 'object' } }];

test.each<[string, Partial<Script>, Parameters<typeof start>[0], CliStep[], object]>([
  [
    'of a version that refuses them',
    { other: (line) => (line.method === 'thread/start' ? [refuses(line, 'unknown field')] : undefined) },
    {},
    [{ models: [{ slug: 'm' }] }],
    { code: 'invalid_request', param: 'tools', message: 'codex: unknown field' },
  ],
  ['of a version without a list of its models', {}, {}, [], { code: 'invalid_request', param: 'tools' }],
  [
    'with arguments that work against it',
    {},
    { extra_args: ['--yolo'] },
    [],
    { code: 'invalid_request', param: 'tools' },
  ],
  [
    'of a program that does not start',
    { other: (line) => (line.method === 'initialize' ? [{ exit: 3 }] : undefined) },
    {},
    [{ models: [{ slug: 'm' }] }],
    { code: 'upstream', kind: 'crashed', message: 'codex ended with exit code 3' },
  ],
  [
    'of a program whose configuration is wrong',
    {
      other: ({ method }) =>
        method === 'initialize' ? [{ stderr: 'Error loading config.toml: invalid\n' }, { exit: 1 }] : undefined,
    },
    {},
    [{ models: [{ slug: 'm' }] }],
    { kind: 'program_config', hint: expect.stringContaining('login status') },
  ],
  [
    'of a program that is killed before it takes the chat',
    { other: ({ method }) => (method === 'thread/start' ? [{ die: 'SIGKILL' }] : undefined) },
    {},
    [{ models: [{ slug: 'm' }] }],
    {
      code: 'upstream',
      kind: 'crashed',
      message: 'codex was ended by SIGKILL',
      hint: expect.stringContaining('memory'),
    },
  ],
])('a chat with tools %s is refused, and no run takes its place', async (_name, script, options, models, expected) => {
  await open(script, options);
  harness.script(HELLO, ({ argv }) => (argv[0] === 'debug' ? models : undefined));
  await expect(ask('One', { tools })).rejects.toMatchObject(expected);
  expect(harness.cli.runs.filter(({ argv }) => argv[0] === 'exec')).toEqual([]);
});

test('a tool that its own vendor runs is named as without effect, by a run and by a thread', async () => {
  await open();
  const search = { name: 'web_search', raw: { type: 'web_search' } };
  for (const warm of ['cold', 'hit']) {
    const { events } = await ask('One', { tools: [search] });
    expect(events.filter(({ type }) => type === 'meta')).toEqual([
      { type: 'meta', ignored: ['tools[0]'] },
      { type: 'meta', warm },
    ]);
    await harness.untilReady();
  }
});

test('a strict schema of the answer is for a thread, also for the first chat, and others are named as without effect', async () => {
  await open();
  const place = { type: 'json_schema', name: 'place', schema: { type: 'object' } } as const;
  const strict = await ask('One', { responseFormat: { ...place, strict: true } });
  expect(strict).toMatchObject({ text: 'One!', warm: 'cold' });
  const loose = await ask('Two', { responseFormat: place });
  expect(loose).toMatchObject({ text: 'Two!', warm: 'hit' });
  expect(sent('turn/start').map(({ outputSchema }) => outputSchema)).toEqual([place.schema, undefined]);
  expect([strict, loose].map(({ events }) => events[0])).toEqual([
    { type: 'meta', warm: 'cold' },
    { type: 'meta', ignored: ['response_format'] },
  ]);
});

test('with client_tools: false tools are left out', async () => {
  await open({}, { client_tools: false });
  expect(await ask('One', { tools })).toMatchObject({ text: 'Hello', warm: 'cold' });
});

const calling = (callId: string): CliStep => {
  const params = { callId, tool: 'f', arguments: { of: callId } };
  return inThread({ id: callId, method: 'item/tool/call', params }, 'thread-1');
};

/** Asks with tools, and gives the messages with the call of the answer and its result. */
async function call(messages: Message[], of: string): Promise<Message[]> {
  const { events } = await ask(messages, { tools });
  const called = events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));
  expect(called).toMatchObject([{ name: 'f', arguments: `{"of":"${of}"}` }]);
  const { id = '' } = called[0]!;
  const content = [{ type: 'text' as const, text: of }];
  return [
    ...messages,
    { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'f', arguments: `{"of":"${of}"}` }] },
    { role: 'tool', parts: [{ type: 'tool_result', callId: id, content }] },
  ];
}

/** As `open`, with a program that takes tools. */
async function openForTools(script: Partial<Script>): Promise<void> {
  await open(script);
  harness.script(HELLO, ({ argv }) => (argv[0] === 'debug' ? [{ models: [{ slug: 'm' }] }] : undefined));
}

test('a call that comes when the answer has gone without it reaches the client with the next one', async () => {
  let pass = (): void => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  let results = 0;
  await openForTools({
    turn: () => [calling('a'), () => passed, calling('b')],
    other: ({ result }) => {
      if (!result) return undefined;
      const end = [delta('Both'), tokens(7, 2), completed];
      return (results += 1) === 2 ? end.map((step) => inThread(step, 'thread-1')) : [];
    },
  });
  const first = await call([say('user', 'Go')], 'a');
  pass();
  // The call mostly comes before the result then. It has to be passed on in either order.
  await pause(50);
  expect(await ask(await call(first, 'b'), { tools })).toMatchObject({ text: 'Both', warm: 'resumed' });
});

test('results for a turn that has ended meanwhile are told to a new thread', async () => {
  let pass = (): void => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  await openForTools({ turn: (line) => (asked(line) === 'Go' ? [calling('a'), () => passed, completed] : echo(line)) });
  const messages = await call([say('user', 'Go')], 'a');
  pass();
  // The program tells of this chat behind the end of that turn.
  expect(await ask('Two', {}, 'another')).toMatchObject({ text: 'Two!' });
  expect(await ask(messages, { tools })).toMatchObject({ text: '!', warm: 'hit' });
  expect(sent('thread/inject_items')).toMatchObject([{ threadId: 'thread-3' }]);
});

test('results that come with another schema of the answer are told to a new thread, which keeps to it', async () => {
  await openForTools({ turn: (line) => (asked(line) === 'Go' ? [calling('a')] : echo(line)) });
  const messages = await call([say('user', 'Go')], 'a');
  const place = { type: 'json_schema', name: 'place', schema: { type: 'object' }, strict: true } as const;
  expect(await ask(messages, { tools, responseFormat: place })).toMatchObject({ text: '!', warm: 'hit' });
  expect(sent('turn/start').map(({ outputSchema }) => outputSchema)).toEqual([undefined, place.schema]);
});
