import type { HttpAnswer, HttpRequestRecord } from 'drivebay/testing';
import { answers, callsFor } from './claude-answers';
import { ClaudeGateway } from './claude-gateway';

type Fields = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- bodies of three wires

/** How a client of a wire asks, and sends results. */
interface Door {
  path: string;
  ask: Fields;
  /** What it says, and its calls. */
  read(answer: Fields): { text: string; calls: { id: string; args: string }[] };
  /** The next request: all of the conversation. */
  next(asked: Fields, answer: Fields, results: [id: string, text: string][]): Fields;
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const QUESTION = 'Weather in Paris and Rome?';

const chat: Door = {
  path: '/v1/chat/completions',
  ask: {
    messages: [
      { role: 'system', content: 'Be a clerk' },
      { role: 'user', content: QUESTION },
    ],
    tools: [{ type: 'function', function: { name: 'weather', parameters } }],
  },
  read: ({ choices: [{ message }] }) => ({
    text: message.content,
    calls: (message.tool_calls ?? []).map(({ id, function: made }: Fields) => ({ id, args: made.arguments })),
  }),
  next: (asked, { choices: [{ message }] }, results) => ({
    ...asked,
    messages: [
      ...asked.messages,
      message,
      ...results.map(([id, content]) => ({ role: 'tool', tool_call_id: id, content })),
    ],
  }),
};

const messages: Door = {
  path: '/v1/messages',
  ask: {
    max_tokens: 5000,
    system: 'Be a clerk',
    messages: [{ role: 'user', content: QUESTION }],
    tools: [{ name: 'weather', input_schema: parameters }],
  },
  read: ({ content }) => ({
    text: content.map(({ text = '' }: Fields) => text).join(''),
    calls: content
      .filter(({ type }: Fields) => type === 'tool_use')
      .map(({ id, input }: Fields) => ({ id, args: JSON.stringify(input) })),
  }),
  next: (asked, { content }, results) => ({
    ...asked,
    messages: [
      ...asked.messages,
      { role: 'assistant', content },
      { role: 'user', content: results.map(([id, text]) => ({ type: 'tool_result', tool_use_id: id, content: text })) },
    ],
  }),
};

const responses: Door = {
  path: '/v1/responses',
  ask: {
    instructions: 'Be a clerk',
    input: [{ role: 'user', content: QUESTION }],
    tools: [{ type: 'function', name: 'weather', parameters }],
  },
  read: ({ output }) => ({
    text: output
      .filter(({ type }: Fields) => type === 'message')
      .map(({ content }: Fields) => content[0].text)
      .join(''),
    calls: output
      .filter(({ type }: Fields) => type === 'function_call')
      .map(({ call_id: id, arguments: args }: Fields) => ({ id, args })),
  }),
  next: (asked, { output }, results) => ({
    ...asked,
    input: [
      ...asked.input,
      ...output,
      ...results.map(([id, text]) => ({ type: 'function_call_output', call_id: id, output: text })),
    ],
  }),
};

let gateway: ClaudeGateway;

const sent = () => gateway.chats.map(({ body }) => body as Fields);

/** A model that calls the tool twice, and answers when it has a result. */
function model(request: HttpRequestRecord): HttpAnswer {
  if (request.text.includes('"tool_result"')) return answers('Sunny and rain.');
  return callsFor(
    'Let me look.',
    { id: 'toolu_1', name: 'weather', input: { city: 'Paris' } },
    { id: 'toolu_2', name: 'weather', input: { city: 'Rome' } },
  );
}

beforeEach(async () => {
  gateway = await ClaudeGateway.start(model);
});
afterEach(() => gateway.close());

interface Answered {
  body: Fields;
  warm: string | null;
  ignored: string | null;
  status: number;
}

async function ask({ path }: Door, body: Fields): Promise<Answered> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude', ...body }),
  });
  const { status, headers } = response;
  const [warm, ignored] = ['warm', 'ignored-params'].map((name) => headers.get(`x-drivebay-${name}`));
  return { status, warm: warm!, ignored: ignored!, body: (await response.json()) as Fields };
}

const DOORS = { 'chat completions': chat, messages, responses };

test.each(Object.entries(DOORS))(
  'on %s the calls come in one answer, and the results go on in the same program',
  async (_name, door) => {
    const first = await ask(door, door.ask);
    const { text, calls } = door.read(first.body);
    expect([first.status, text, calls.map(({ args }) => JSON.parse(args) as unknown)]).toEqual([
      ...[200, 'Let me look.', [{ city: 'Paris' }, { city: 'Rome' }]],
    ]);
    const next = door.next(door.ask, first.body, [
      [calls[1]!.id, 'rain'],
      [calls[0]!.id, 'sunny'],
    ]);
    const second = await ask(door, next);
    expect([second.status, second.warm, door.read(second.body).text]).toEqual([200, 'resumed', 'Sunny and rain.']);
    expect(sent()).toHaveLength(2);
  },
);

test('after a restart of the gateway a new program is told the conversation in its turns', async () => {
  const first = await ask(messages, messages.ask);
  const { calls } = messages.read(first.body);
  await gateway.restart();
  expect(sent()).toHaveLength(1);
  const results = calls.map(({ id }, index): [string, string] => [id, `result ${index}`]);
  const second = await ask(messages, messages.next(messages.ask, first.body, results));
  expect([second.warm, messages.read(second.body).text]).toEqual(['cold', 'Sunny and rain.']);
  const types = (sent().at(-1)!.messages as { role: string; content: { type: string; text?: string }[] }[])
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content.filter(({ text = '' }) => !text.includes('<system-')).map(({ type }) => type));
  expect(types).toEqual([['text'], ['text', 'tool_use', 'tool_use'], ['tool_result', 'tool_result']]);
});

test.each<[string, Door, Fields, Fields, string]>([
  ['chat completions', chat, { stop: 'END' }, { stop: ['\n'], reasoning_effort: 'low' }, 'stop,temperature'],
  [
    ...(['messages', messages, { stop_sequences: ['END'] }] as const),
    ...([{ stop_sequences: ['\n'], output_config: { effort: 'low' } }, 'stop_sequences,temperature'] as const),
  ],
])(
  'on %s fields that the model can have reach it, and others are named',
  async (_name, door, fields, others, ignored) => {
    const plain = { ...door.ask, max_tokens: 50, temperature: 0 };
    const first = await ask(door, { ...plain, ...fields, model: 'claude:claude-sonnet-4-5' });
    expect([first.status, first.ignored]).toEqual([200, null]);
    expect(sent().at(-1)).toMatchObject({ temperature: 0, stop_sequences: ['END'], thinking: { type: 'disabled' } });
    const second = await ask(door, { ...plain, ...others });
    expect([second.status, second.ignored]).toEqual([200, ignored]);
    expect(sent().at(-1)).not.toHaveProperty('stop_sequences');
  },
);

test('half of the results are refused where the door does not fill them in', async () => {
  for (const door of [chat, messages]) {
    const first = await ask(door, door.ask);
    const { calls } = door.read(first.body);
    const half = await ask(door, door.next(door.ask, first.body, [[calls[0]!.id, 'sunny']]));
    expect(half.status).toBe(400);
  }
});
