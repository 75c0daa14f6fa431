import type { ChatRequest, Message } from 'drivebay/plugin';
import { completion, json, type RecordedRequest } from '../../setup/upstream';
import type { DriverHarness } from '../harness';
import { startEpsilon } from './harness';

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEpsilon();
  harness.upstream.answer(json(completion('x')));
});

afterEach(() => harness.close());

async function sent(fields: Partial<ChatRequest>): Promise<RecordedRequest> {
  await harness.chat(fields);
  return harness.upstream.requests.at(-1)!;
}

const bodyOf = async (fields: Partial<ChatRequest>): Promise<unknown> => (await sent(fields)).body;
const says = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const minimal = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: false };

test('goes by the SDK, with the key, and with nothing that was not asked for', async () => {
  const { method, path, headers, body } = await sent({});
  expect([method, path]).toEqual(['POST', '/v1/chat/completions']);
  expect(headers).toMatchObject({ authorization: 'Bearer sk-1', 'content-type': 'application/json' });
  expect(headers['user-agent']).toMatch(/^OpenAI\/JS/);
  expect(body).toEqual(minimal);
});

test.each<[string, Partial<ChatRequest>, object]>([
  ['the token limit under its younger name', { maxTokens: 9 }, { max_completion_tokens: 9 }],
  ['the effort byte for byte', { reasoningEffort: 'HiGh?' }, { reasoning_effort: 'HiGh?' }],
  ['sampling without a look at it', { temperature: 99, topP: -1 }, { temperature: 99, top_p: -1 }],
  ['stop and n', { stop: ['a'], choices: 1 }, { stop: ['a'], n: 1 }],
  ['unknown fields', { extra: { seed: 7, top_k: 4, deep: { a: [1] } } }, { seed: 7, top_k: 4, deep: { a: [1] } }],
  [
    'tools and their choice',
    { tools: [{ name: 'f', parameters: { type: 'object' }, strict: true }], toolChoice: { type: 'tool', name: 'f' } },
    {
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
    },
  ],
  [
    'a schema for the answer',
    { responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
    { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } } },
  ],
])('sends %s', async (_, fields, expected) => {
  expect(await bodyOf(fields)).toEqual({ ...minimal, ...expected });
});

test('asks every stream for usage', async () => {
  harness.upstream.answer(json(completion('x')));
  const extra = { stream_options: { include_usage: false, include_obfuscation: false } };
  expect(await bodyOf({ stream: true, extra })).toMatchObject({
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false },
  });
});

test('keeps all roles in their order, with names and unknown fields', async () => {
  const messages: Message[] = [
    says('system', 'one'),
    { ...says('developer', 'two'), name: 'dev' },
    says('system', 'three'),
    { ...says('user', 'four'), extra: { custom: true } },
    says('assistant', 'five'),
  ];
  expect(await bodyOf({ messages })).toMatchObject({
    messages: [
      { role: 'system', content: 'one' },
      { role: 'developer', content: 'two', name: 'dev' },
      { role: 'system', content: 'three' },
      { role: 'user', content: 'four', custom: true },
      { role: 'assistant', content: 'five' },
    ],
  });
});

test('sends images by data URL and by address', async () => {
  const data = 'data:image/png;base64,iVBORw0KGgo=';
  const parts: Message['parts'] = [
    { type: 'text', text: 'what?' },
    { type: 'image', url: data, detail: 'low' },
    { type: 'image', url: 'https://host.example/a.png' },
  ];
  expect(await bodyOf({ messages: [{ role: 'user', parts }] })).toMatchObject({
    messages: [
      {
        content: [
          { type: 'text', text: 'what?' },
          { type: 'image_url', image_url: { url: data, detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://host.example/a.png' } },
        ],
      },
    ],
  });
});

test('sends parallel tool calls and their results with their ids', async () => {
  const call = (id: string): Message['parts'][number] => ({ type: 'tool_call', id, name: 'f', arguments: '{"a":1}' });
  const result = (callId: string): Message => ({
    role: 'tool',
    parts: [{ type: 'tool_result', callId, content: [{ type: 'text', text: `of ${callId}` }] }],
  });
  const messages: Message[] = [
    says('user', 'go'),
    { role: 'assistant', parts: [call('c1'), call('c2')] },
    result('c2'),
    result('c1'),
  ];
  const wireCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } });
  expect(await bodyOf({ messages })).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: null, tool_calls: [wireCall('c1'), wireCall('c2')] },
      { role: 'tool', tool_call_id: 'c2', content: 'of c2' },
      { role: 'tool', tool_call_id: 'c1', content: 'of c1' },
    ],
  });
});

test('leaves reasoning of other vendors out, and says so', async () => {
  const messages: Message[] = [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'x' }] }]; // prettier-ignore
  const events = await harness.chat({ messages });
  expect(harness.upstream.requests[0]?.body).toMatchObject({ messages: [{ role: 'assistant', content: 'x' }] });
  expect(JSON.stringify(harness.upstream.requests[0]?.body)).not.toContain('hm');
  expect(events[0]).toEqual({ type: 'meta', ignored: ['reasoning_content'] });
});
