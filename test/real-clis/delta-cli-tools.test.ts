import { setTimeout as pause } from 'node:timers/promises';
import type { ChatEvent, ChatRequest, Message, Tool } from 'drivebay/plugin';
import type { HttpRequestRecord } from 'drivebay/testing';
import { call, calls, result } from '../plugins/messages';
import { until } from '../setup/until';
import { answers, asksFor } from './codex-answers';
import { chat, chats, endCodex, last, open, play, say, start, startCodex, warmUp } from './warm-codex';

beforeEach(() => startCodex());
afterEach(() => endCodex());

const weather: Tool = {
  ...{ name: 'get_weather', description: 'Tells the weather' },
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const asks = (name: string, city: string, id: string) => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, status: 'completed' },
  arguments: JSON.stringify({ city }),
});
const looks = {
  ...{ type: 'message', id: 'msg_0', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }],
};
const both = [looks, asks('get_weather', 'Paris', 'c1'), asks('get_weather', 'Rome', 'c2')];

/** Asks for both cities, then says what it has been told. */
function weatherman({ body }: HttpRequestRecord) {
  const told = (body.input as { type: string; output?: string }[]).filter(
    ({ type }) => type === 'function_call_output',
  );
  return told.length === 0 ? asksFor(both) : answers(told.map(({ output }) => output).join(', '));
}

const callsIn = (events: ChatEvent[]) => events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));
const usageIn = (events: ChatEvent[]) => events.findLast(({ type }) => type === 'usage');
const question = [say('system', 'Be a clerk'), say('user', 'Weather?')];

/** The messages of a client that has run the tools. */
function withResults(events: ChatEvent[], results: string[]): Message[] {
  const made = callsIn(events);
  const parts = made.map(({ id, name, arguments: args }) => ({
    ...call(id!, name),
    arguments: args!,
  }));
  const said = { role: 'assistant', parts: [{ type: 'text', text: 'Let me look.' }, ...parts] } as Message;
  return [...question, said, ...results.map((text, index) => result(made[index]!.id!, text))];
}

const outputs = () => outputsIn(last());
const outputsIn = ({ body }: HttpRequestRecord) =>
  (body.input as { type: string; call_id: string; output: unknown }[])
    .filter(({ type }) => type === 'function_call_output')
    .map(({ call_id: id, output }) => [id, output]);
const waiting = () => open.kept.list().filter(({ state }) => state === 'waiting').length;

const ask = (more: Partial<ChatRequest> = {}) => chat({ tools: [weather], messages: question, ...more });

test.each([true, false])(
  'two calls come in one answer, and their results go on in the same turn, streamed: %s',
  async (stream) => {
    await warmUp();
    play(weatherman);
    const first = await ask({ stream });
    expect([first.text, first.warm]).toEqual(['Let me look.', 'hit']);
    expect(first.events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
    expect(callsIn(first.events)).toMatchObject([
      { index: 0, name: 'get_weather', arguments: '{"city":"Paris"}' },
      { index: 1, name: 'get_weather', arguments: '{"city":"Rome"}' },
    ]);
    expect(last().body.tools).toMatchObject([{ name: 'get_weather', description: 'Tells the weather' }]);
    expect(waiting()).toBe(1);
    const before = last().body;
    const second = await ask({ stream, messages: withResults(first.events, ['sunny', 'rain']) });
    expect(second).toMatchObject({ text: 'sunny, rain', warm: 'resumed' });
    expect(outputs()).toEqual([
      ['c1', 'sunny'],
      ['c2', 'rain'],
    ]);
    expect(last().body.prompt_cache_key).toBe(before.prompt_cache_key);
    expect(usageIn(first.events)).toMatchObject({ inputTokens: 1000, outputTokens: 12 });
    expect(usageIn(second.events)).toEqual(usageIn(first.events));
    const third = [
      ...withResults(first.events, ['sunny', 'rain']),
      say('assistant', 'sunny, rain'),
      say('user', 'And?'),
    ];
    const thanked = await ask({ stream, messages: third });
    expect([thanked.warm, usageIn(thanked.events)]).toEqual(['resumed', usageIn(first.events)]);
  },
);

test.each(['gpt-5.5', 'gpt-6-sol'])(
  'the first chat with tools starts the program: %s calls them itself',
  async (model) => {
    play(weatherman);
    const { warm, events } = await ask({ model });
    expect([warm, callsIn(events).length]).toEqual(['cold', 2]);
    expect(last().text).not.toMatch(/"apply_patch"|"exec"|"shell"/);
  },
);

test('a conversation that no thread holds is told with its calls and results', async () => {
  play(answers('Fine.'));
  const made = [call('call_a', 'get_weather'), call('call_b', 'get_weather')];
  const results = [result('call_a', 'sunny'), result('call_b', 'rain')];
  expect((await ask({ messages: [...question, calls(...made), ...results] })).text).toBe('Fine.');
  expect((last().body.input as { type: string }[]).map(({ type }) => type)).toEqual([
    ...['message', 'message', 'function_call', 'function_call', 'function_call_output', 'function_call_output'],
  ]);
  expect(outputs()).toEqual([
    ['call_a', 'sunny'],
    ['call_b', 'rain'],
  ]);
});

test('results of another conversation, with text behind them, or after a crash are told anew', async () => {
  const pid = await warmUp();
  play(weatherman);
  const first = await ask();
  const messages = withResults(first.events, ['sunny', 'rain']);
  const edited = [say('system', 'Be a clerk'), say('user', 'Weather!'), ...messages.slice(2)];
  expect(await ask({ messages: edited })).toMatchObject({ text: 'sunny, rain', warm: 'hit' });
  const again = await ask();
  const more = [...withResults(again.events, ['sunny', 'rain']), say('user', 'And?')];
  expect(await ask({ messages: more })).toMatchObject({ text: 'sunny, rain', warm: 'hit' });
  const last_ = await ask();
  process.kill(pid, 'SIGKILL');
  await until(() => waiting() === 0);
  const late = await ask({ messages: withResults(last_.events, ['sunny', 'rain']) });
  expect(late).toMatchObject({ text: 'sunny, rain', warm: 'cold' });
});

test('a thread that nobody answers is ended without a further request', async () => {
  await warmUp();
  play(weatherman);
  await ask();
  const count = chats().length;
  open.kept.close();
  await pause(300);
  expect([waiting(), chats().length]).toEqual([0, count]);
});

test('names, descriptions, results and images of any kind reach the model', async () => {
  await warmUp();
  const description = 'word '.repeat(4_000);
  const tools = [
    { ...weather, name: 'a.b c', description },
    { name: 'exec', parameters: { type: 'string' } },
    { name: 'mcp__x__y' },
    ...['exec_command', 'shell_command', 'mcp', 'apply_patch'].map((name) => ({ name })),
  ];
  play(({ body, text }) => {
    if (text.includes('function_call_output')) return answers('Seen.');
    const names = (body.tools as { name: string }[]).map(({ name }) => name);
    return asksFor([
      asks(names[0]!, 'x', 'c1'),
      ...names.slice(1).map((name, index) => asks(name, 'y', `c${index + 2}`)),
    ]);
  });
  const { events } = await ask({ tools });
  expect(callsIn(events).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(last().body.tools[0].description).toBe(description);
  const image =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const long = 'x'.repeat(2_000_000);
  // The last text was cut in the middle of a character.
  const messages = withResults(events, [long, '', '', '', '', '', 'Cut \ud83d']);
  messages.splice(2, 1, { role: 'assistant', parts: messages[2]!.parts.slice(1) });
  const { id } = callsIn(events)[2]!;
  const shown: Message = {
    role: 'tool',
    parts: [{ type: 'tool_result', callId: id!, content: [{ type: 'image', url: image }] }],
  };
  messages.splice(5, 1, shown);
  const second = await ask({ tools, messages });
  expect(second).toMatchObject({ text: 'Seen.', warm: 'resumed' });
  expect(outputs()[0]).toEqual(['c1', long]);
  expect(JSON.stringify(outputs()[2])).toContain(image);
  expect(outputs().at(-1)).toEqual(['c7', 'Cut \ufffd']);
});

test('calls whose ids are equal in two turns reach the model, and so does half of a character', async () => {
  const pid = await warmUp();
  const history = ['One', 'Cut \ud83d'].flatMap((text): Message[] => [
    calls(call('call_0', 'get_weather')),
    result('call_0', text),
  ]);
  expect(await ask({ messages: [...question, ...history, say('user', 'So \ud83d')] })).toMatchObject({ warm: 'hit' });
  expect(outputs()).toEqual([
    ['call_0', 'One'],
    ['call_0-2', 'Cut \ufffd'],
  ]);
  expect(await ask({ tools: undefined, messages: [say('user', '\ude00')] })).toMatchObject({ warm: 'hit' });
  expect(
    open.kept
      .list()
      .filter(({ state }) => state !== 'waiting')
      .every((kept) => kept.pid === pid),
  ).toBe(true);
});

test.each([
  ['of a tool that does not exist', asks('nothing', 'Rome', 'c2'), /unsupported call/],
  [
    'with arguments that are no JSON',
    { ...asks('get_weather', 'Rome', 'c2'), arguments: '{"city":' },
    /failed to parse function arguments/,
  ],
])('a call %s holds up none beside it, and the model hears of both', async (_name, bad, told) => {
  await warmUp();
  play((request) => {
    const answer = weatherman(request);
    return outputsIn(request).length > 0 ? answer : asksFor([asks('get_weather', 'Paris', 'c1'), bad]);
  });
  const { events } = await ask();
  expect(callsIn(events)).toMatchObject([{ arguments: '{"city":"Paris"}' }]);
  const messages = withResults(events, ['sunny']);
  messages.splice(2, 1, { role: 'assistant', parts: messages[2]!.parts.slice(1) });
  expect(await ask({ messages })).toMatchObject({ warm: 'resumed' });
  expect(outputs()).toEqual([
    ['c1', 'sunny'],
    ['c2', expect.stringMatching(told)],
  ]);
});

test('without programs that are kept a chat with tools has one of its own, which waits', async () => {
  start({ warm: false });
  play(weatherman);
  const first = await ask();
  expect(first.warm).toBe('cold');
  const second = await ask({ messages: withResults(first.events, ['sunny', 'rain']) });
  expect(second).toMatchObject({ text: 'sunny, rain', warm: 'resumed' });
  expect(open.kept.list()).toEqual([]);
});

test.each([{ type: 'required' }, { type: 'tool', name: 'get_weather' }] as const)(
  '%j is refused',
  async (toolChoice) => {
    await expect(ask({ toolChoice })).rejects.toMatchObject({ code: 'invalid_request', param: 'tool_choice' });
    expect(chats()).toEqual([]);
  },
);
