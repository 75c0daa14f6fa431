import OpenAI from 'openai';
import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../scripted-driver';

let gateway: RunningGateway;
let client: OpenAI;
const yaml = `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: org/m-1 }
  - { name: plain, driver: plain }
`;
useScripted(
  (started) => {
    gateway = started;
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
  },
  () => ({ yaml }),
);

const ask = [{ role: 'user' as const, content: 'Hi' }];
/** A body with the script for the driver: the SDK passes unknown fields on. */
const body = (script: Step[], fields: Record<string, unknown> = {}) => ({
  model: 'main',
  messages: ask,
  script,
  ...fields,
});

const CALL: Step[] = [
  { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '{"a":' },
  { type: 'tool_call', index: 1, id: 'call_b', name: 'g', arguments: '{}' },
  { type: 'tool_call', index: 0, arguments: '1}' },
  { type: 'usage', inputTokens: 5, outputTokens: 6 },
  { type: 'finish', reason: 'tool_calls' },
];

test('create with stream gives the pieces and the usage', async () => {
  const stream = await client.chat.completions.create({
    ...body([text('Hel'), text('lo'), { type: 'usage', inputTokens: 5, outputTokens: 6 }, stop]),
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  let total: number | undefined;
  for await (const chunk of stream) {
    pieces.push(chunk.choices[0]?.delta.content ?? '');
    total = chunk.usage?.total_tokens ?? total;
  }
  expect(pieces.filter(Boolean)).toEqual(['Hel', 'lo']);
  expect(total).toBe(11);
});

test('stream().finalChatCompletion() folds the answer, with parallel tool calls', async () => {
  const tools = ['f', 'g'].map((name) => ({ type: 'function' as const, function: { name, parameters: {} } }));
  const final = await client.chat.completions
    .stream(body(CALL, { tools, stream_options: { include_usage: true } }))
    .finalChatCompletion();
  expect(final.choices[0]?.finish_reason).toBe('tool_calls');
  expect(final.choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_a', function: { name: 'f', arguments: '{"a":1}' } },
    { id: 'call_b', function: { name: 'g', arguments: '{}' } },
  ]);
  expect(final.usage?.total_tokens).toBe(11);
});

test('a round of tool calls: the calls and their results come back to the driver', async () => {
  const first = await client.chat.completions.create(body(CALL));
  const calls = first.choices[0]!.message.tool_calls!;
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: '42' }));
  const second = await client.chat.completions.create({
    ...body([{ echo: 'request' }, stop]),
    messages: [...ask, first.choices[0]!.message, ...results],
  });
  const seen = JSON.parse(second.choices[0]!.message.content!) as { messages: unknown[] };
  expect(seen.messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'tool_call', id: 'call_a', name: 'f', arguments: '{"a":1}' },
        { type: 'tool_call', id: 'call_b', name: 'g', arguments: '{}' },
      ],
    },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'call_a', content: [{ type: 'text', text: '42' }] }] },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'call_b', content: [{ type: 'text', text: '42' }] }] },
  ]);
});

test('models.list and models.retrieve agree, also for ids with a colon and a slash', async () => {
  const listed = [];
  for await (const model of client.models.list()) listed.push(model);
  expect(listed.map(({ id }) => id)).toEqual(['main', 'main:org/m-1', 'plain']);
  for (const model of listed) expect(await client.models.retrieve(model.id)).toEqual(model);
});

/** The error of a call that must fail. */
async function failure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await work.then(
    () => new Error('it was expected to fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OpenAI.APIError);
  return error as InstanceType<typeof OpenAI.APIError>;
}

test.each<[Step, new (...args: never[]) => Error, Record<string, unknown>]>([
  [{ fail: ['upstream', 'x'] }, OpenAI.InternalServerError, { status: 502, code: 'upstream_error', param: null }],
  [{ fail: ['timeout', 'x'] }, OpenAI.InternalServerError, { status: 504, code: 'timeout' }],
  [
    { fail: ['invalid_request', 'x', { param: 'messages[0]' }] },
    OpenAI.BadRequestError,
    { status: 400, code: 'invalid_request', param: 'messages[0]', type: 'invalid_request_error' },
  ],
])('%j is an error of the right class, with code, param and request id', async (step, type, fields) => {
  for (const stream of [false, true]) {
    const error = await failure(client.chat.completions.create(body([step], { stream })));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(fields);
    expect(error.requestID).toMatch(/^req_/);
  }
});

test('an error in the middle of a stream throws, in both ways to read it', async () => {
  const script = [text('Hel'), { fail: ['upstream', 'it broke'] }];
  const pieces: string[] = [];
  const read = async () => {
    const stream = await client.chat.completions.create({ ...body(script), stream: true });
    for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '');
  };
  const error = await failure(read());
  expect(pieces.join('')).toBe('Hel');
  expect(error).toMatchObject({ code: 'upstream_error', type: 'server_error' });
  await expect(client.chat.completions.stream(body(script)).finalChatCompletion()).rejects.toThrow('it broke');
});
