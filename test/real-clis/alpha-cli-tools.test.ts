import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatEvent, ChatRequest, Message, Tool } from 'drivebay/plugin';
import type { HttpAnswer } from 'drivebay/testing';
import { result } from '../plugins/messages';
import { answers, callsFor } from './claude-answers';
import { processesGone } from './left-processes';
import { type Chatted, say, WarmClaude } from './warm-claude';

let stage: WarmClaude;

beforeEach(async () => {
  stage = await WarmClaude.start();
});
afterEach(() => stage.close());

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools: Tool[] = [
  { name: 'get weather', description: 'The weather', parameters: schema },
  { name: 'Bash', description: 'Runs' },
];
const question = [say('system', 'Be a clerk'), say('user', 'Weather in Paris and Rome?')];

/** Two calls of the first tool, by whatever name it has there. */
const twoCalls = ({ body }: { body: { tools: { name: string }[] } }) => {
  const name = body.tools.map((tool) => tool.name).find((each) => each.includes('weather'))!;
  return callsFor(
    'Let me look.',
    { id: 'toolu_1', name, input: { city: 'Paris' } },
    { id: 'toolu_2', name, input: { city: 'Rome' } },
  );
};

type Call = Extract<ChatEvent, { type: 'tool_call' }>;
const callsOf = ({ events }: Chatted) => events.filter((event): event is Call => event.type === 'tool_call');
const finishOf = ({ events }: Chatted) => events.at(-1);
const usageOf = ({ events }: Chatted) => events.find(({ type }) => type === 'usage');

/** The conversation as a client sends it back, with results. */
function answered(messages: Message[], chatted: Chatted, results: string[]): Message[] {
  const calls = callsOf(chatted);
  return [
    ...messages,
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: chatted.text },
        ...calls.map(({ id, name, arguments: args }) => ({
          ...({ type: 'tool_call', id: id!, name: name!, arguments: args! } as const),
        })),
      ],
    },
    ...results.map((text, index) => result(calls[index]!.id!, text)),
  ];
}

async function asked(more: Partial<ChatRequest> = {}): Promise<Chatted> {
  stage.play(twoCalls);
  const first = await stage.chat({ messages: question, tools, ...more });
  stage.play(answers('Sunny and rain.'));
  return first;
}

const lastResults = () =>
  stage.blocks
    .at(-1)!
    .content.filter(({ type }) => type === 'tool_result')
    .map((block) => block as unknown as { tool_use_id: string; content: { text: string }[] })
    .map(({ tool_use_id: id, content }) => [id, typeof content === 'string' ? content : content[0]!.text]);

test('the first request with tools starts a program, which calls them both at once, and goes on with their results', async () => {
  const first = await asked();
  expect([first.text, first.warm, finishOf(first)]).toEqual([
    'Let me look.',
    'cold',
    { type: 'finish', reason: 'tool_calls' },
  ]);
  expect(callsOf(first)).toEqual([
    {
      type: 'tool_call',
      index: 0,
      id: expect.stringMatching(/^call_/),
      name: 'get weather',
      arguments: '{"city":"Paris"}',
    },
    {
      type: 'tool_call',
      index: 1,
      id: expect.stringMatching(/^call_/),
      name: 'get weather',
      arguments: '{"city":"Rome"}',
    },
  ]);
  const { body } = stage.last;
  expect(body.tools).toHaveLength(2);
  expect(body.tools[1]).toMatchObject({ name: expect.stringMatching(/^get_weather_/), input_schema: schema });
  expect(body.system.at(-1).text).toBe('Be a clerk');
  expect(stage.kept('waiting')).toBe(1);

  const second = await stage.chat({ messages: answered(question, first, ['sunny', 'rain']), tools });
  expect([second.text, second.warm, finishOf(second)]).toEqual([
    'Sunny and rain.',
    'resumed',
    { type: 'finish', reason: 'stop' },
  ]);
  expect(new Map(lastResults() as [string, string][])).toEqual(
    new Map([
      ['toolu_1', 'sunny'],
      ['toolu_2', 'rain'],
    ]),
  );
  expect(stage.chats).toHaveLength(2);
  expect([usageOf(first), usageOf(second)]).toEqual([
    expect.objectContaining({ inputTokens: 985, outputTokens: 12 }),
    expect.objectContaining({ inputTokens: 985, outputTokens: 12 }),
  ]);
});

test('a program that is ready takes the tools, and the conversation goes on in it after the answer', async () => {
  await stage.warmUp();
  const first = await asked();
  expect(first.warm).toBe('hit');
  const messages = answered(question, first, ['sunny', 'rain']);
  const second = await stage.chat({ messages, tools });
  const third = await stage.chat({
    messages: [...messages, say('assistant', second.text), say('user', 'Thanks')],
    tools,
  });
  expect([second.warm, third.warm]).toEqual(['resumed', 'resumed']);
  expect(stage.blocks.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
});

test('results that no program waits for are told with all turns', async () => {
  const first = await asked();
  await stage.untilReady();
  const messages = answered(question, first, ['sunny', '/rain']);
  const second = await stage.chat({ messages, tools }, { scope: 'another client' });
  expect([second.text, second.warm]).toEqual(['Sunny and rain.', 'hit']);
  const ids = callsOf(first).map(({ id }) => id!);
  expect(stage.blocks.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
    ['user', ['text']],
    ['assistant', ['text', 'tool_use', 'tool_use']],
    ['user', ['tool_result', 'tool_result']],
  ]);
  expect(lastResults()).toEqual([
    [ids[0], 'sunny'],
    [ids[1], '/rain'],
  ]);
  // The program of the first client still waits.
  expect(await stage.chat({ messages, tools })).toMatchObject({ warm: 'resumed' });
});

test('a choice is forced for one answer only, by the name that the program has', async () => {
  const first = await asked({ toolChoice: { type: 'tool', name: 'get weather' } });
  const { body } = stage.last;
  expect(body.tool_choice).toEqual({ type: 'tool', name: body.tools[1].name });
  expect(body.thinking).toEqual({ type: 'disabled' });
  await stage.chat({ messages: answered(question, first, ['sunny', 'rain']), tools });
  expect([undefined, { type: 'auto' }]).toContainEqual(stage.last.body.tool_choice);
});

test.each<[Partial<ChatRequest>, object]>([
  [{ toolChoice: { type: 'required' } }, { type: 'any' }],
  [{ toolChoice: { type: 'none' } }, { type: 'none' }],
  [{ extra: { parallel_tool_calls: false } }, { type: 'auto', disable_parallel_tool_use: true }],
])('%j is told to the model', async (more, expected) => {
  stage.play(answers('Hi.'));
  await stage.chat({ messages: question, tools, ...more });
  expect(stage.last.body.tool_choice).toEqual(expected);
});

test('results are whole, whatever their size, and may be images', async () => {
  const first = await asked();
  const long = 'x'.repeat(400_000);
  const messages = answered(question, first, [long, '']);
  await stage.chat({ messages, tools });
  expect(lastResults().map(([, text]) => text!.length)).toEqual(expect.arrayContaining([400_000]));

  const again = await asked();
  const image = { type: 'image', url: `data:image/png;base64,${PNG}` } as const;
  const [one, other] = callsOf(again).map(({ id }) => id!);
  const shown: Message[] = [
    ...answered(question, again, []),
    { role: 'tool', parts: [{ type: 'tool_result', callId: one!, content: [image] }] },
    result(other!, 'y'.repeat(2_000_000)),
  ];
  const { warm } = await stage.chat({ messages: shown, tools });
  expect(warm).not.toBe('resumed');
  expect(JSON.stringify(stage.last.body)).toContain('y'.repeat(2_000_000));
  expect(JSON.stringify(stage.last.body)).toContain(PNG);
});

test('an image of a user reaches the model', async () => {
  stage.play(answers('A dot.'));
  const image = { type: 'image', url: `data:image/png;base64,${PNG}` } as const;
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'What?' }, image] }];
  expect((await stage.chat({ messages })).text).toBe('A dot.');
  expect(stage.blocks.at(-1)!.content.map(({ type }) => type)).toEqual(['text', 'image']);
});

test('a tool that is not there and arguments that are no JSON are corrected without the client', async () => {
  const nameOf = ({ body }: { body: { tools: { name: string }[] } }) =>
    body.tools.map(({ name }) => name).find((name) => name.includes('weather'))!;
  const turns: ((request: Parameters<typeof nameOf>[0]) => HttpAnswer)[] = [
    () => callsFor('One.', { id: 'toolu_x', name: 'nothing', input: {} }),
    (request) => callsFor('Two.', { id: 'toolu_y', name: nameOf(request), input: '{"city": "Par' }),
    twoCalls,
  ];
  stage.play((request) => turns.shift()!(request));
  const first = await stage.chat({ messages: question, tools });
  expect(callsOf(first).map(({ arguments: args }) => args)).toEqual(['{"city":"Paris"}', '{"city":"Rome"}']);
  expect(stage.chats).toHaveLength(3);
});

test('two calls with one id are two for the client, and the program goes on when it has both results', async () => {
  stage.play(({ body: { tools: offered } }) => {
    const [{ name }] = offered as [{ name: string }];
    return callsFor('Let me look.', { id: 't1', name, input: { of: 1 } }, { id: 't1', name, input: { of: 2 } });
  });
  const first = await stage.chat({ messages: question, tools });
  expect(callsOf(first).map(({ arguments: args }) => args)).toEqual(['{"of":1}', '{"of":2}']);
  stage.play(answers('Sunny.'));
  const second = await stage.chat({ messages: answered(question, first, ['one', 'two']), tools });
  expect([second.text, second.warm]).toEqual(['Sunny.', 'resumed']);
});

test('a tool of a client that is called as one of the program’s own runs nothing here', async () => {
  const file = join(stage.open.home.directory, 'made');
  const names = ['Bash', 'Write', 'Read', 'Task', 'WebFetch', 'StructuredOutput'];
  const servers = ['mcp__github__search', 'mcp__drivebay_client__look'];
  const own: Tool[] = [...names, ...servers].map((name) => ({ name }));
  const inputs = [{ command: `touch ${file}` }, { file_path: file, content: 'x' }, { file_path: '/etc/hostname' }];
  stage.play(
    callsFor('So.', ...own.map(({ name }, index) => ({ id: `toolu_${index}`, name, input: inputs[index] ?? {} }))),
  );
  const first = await stage.chat({ messages: question, tools: own });
  expect(callsOf(first).map(({ name }) => name)).toEqual(own.map(({ name }) => name));
  expect([stage.chats.length, existsSync(file)]).toEqual([1, false]);
});

test('a conversation that is told anew keeps a command of the program as a text, and turns without a text', async () => {
  const history: Message[] = [
    say('user', '/clear'),
    say('assistant', 'What?'),
    say('user', 'Weather?'),
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_a', name: 'Bash', arguments: '{"x":1}' }] },
    result('call_a', 'sunny'),
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_b', name: 'Bash', arguments: '{"x":2}' }] },
    result('call_b', 'rain'),
  ];
  stage.play(answers('Sunny and rain.'));
  expect((await stage.chat({ messages: history, tools })).text).toBe('Sunny and rain.');
  const forms = stage.blocks.map(({ role, content }) => [
    role,
    ...content.map(({ type, text }) => text?.trim() ?? type),
  ]);
  expect(forms).toEqual([
    ['user', '/clear'],
    ['assistant', 'What?'],
    ['user', 'Weather?'],
    ...[
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
    ],
  ]);
});

test('calls whose ids are equal in two turns, or are no ids of the vendor, reach the model whole', async () => {
  const ids = ['call_0', 'call_0', 'functions.look:0', ''];
  const history = ids.flatMap((id, index): Message[] => [
    { role: 'assistant', parts: [{ type: 'tool_call', id, name: 'Bash', arguments: `{"x":${index}}` }] },
    result(id, `result ${index}`),
  ]);
  stage.play(answers('Fine.'));
  expect((await stage.chat({ messages: [say('user', 'Go'), ...history], tools })).text).toBe('Fine.');
  const sent = stage.blocks.flatMap(({ content }) => content as (typeof content)[number][] & Record<string, unknown>[]);
  expect(sent.flatMap(({ type, id, input }) => (type === 'tool_use' ? [[id, input]] : []))).toEqual(
    ['call_0', 'call_0-2', 'functions_look_0', 'call-2'].map((id, x) => [id, { x }]),
  );
  expect(sent.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [id] : []))).toEqual([
    ...['call_0', 'call_0-2', 'functions_look_0', 'call-2'],
  ]);
  for (const index of ids.keys()) expect(stage.last.text).toContain(`result ${index}`);
});

test('a conversation of a hundred turns is told whole, in its order', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => [index === 50 ? '/clear' : `Q${index}`, `A${index}`]).flat();
  const messages = texts.map((text, index) => say(index % 2 === 0 ? 'user' : 'assistant', text));
  stage.play(answers('Fine.'));
  expect((await stage.chat({ messages: [...messages, say('user', 'Last')], tools })).text).toBe('Fine.');
  expect(stage.turns.map((parts) => parts.join('').trim())).toEqual([...texts, 'Last']);
});

test('a limit of the user for servers of tools does not end a call that waits', async () => {
  process.env.MCP_TOOL_TIMEOUT = '500';
  try {
    const first = await asked();
    await pause(1_500);
    const messages = answered(question, first, ['sunny', 'rain']);
    expect(await stage.chat({ messages, tools })).toMatchObject({ text: 'Sunny and rain.', warm: 'resumed' });
    expect(stage.chats).toHaveLength(2);
  } finally {
    delete process.env.MCP_TOOL_TIMEOUT;
  }
});

test('a thousand tools, and some with schemas that are none', async () => {
  const many: Tool[] = Array.from({ length: 1000 }, (_, index) => ({ name: `tool_${index}`, parameters: schema }));
  const odd: Tool[] = [
    { name: 'a.b c', parameters: { anyOf: [schema] } },
    { name: 'ToolSearch', parameters: { type: 'string' } },
    { name: 'b', parameters: { type: ['object', 'null'], required: null as never } },
    { name: 'c', parameters: { type: 'object', properties: { a: true as never } } },
    { name: 'd', description: 'word '.repeat(4000) },
    // With one of these the program fails before it asks its model.
    ...['__proto__', 'constructor', 'hasOwnProperty', '__defineGetter__'].map((name) => ({ name })),
  ];
  stage.play(answers('Hi.'));
  await stage.chat({ messages: question, tools: [...many, ...odd] });
  expect(stage.last.body.tools).toHaveLength(1009);
  expect(stage.last.text).toContain('word '.repeat(4000));
});

test('nothing is asked or left when a program that waits is ended', async () => {
  await asked();
  expect(stage.kept('waiting')).toBe(1);
  await stage.driver.close();
  stage.open.kept.close();
  await stage.open.programs.close();
  await processesGone(stage.open.home.directory);
  expect(stage.chats).toHaveLength(1);
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
