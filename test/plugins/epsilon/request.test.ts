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

test('leaves reasoning of other vendors out, and says so', async () => {
  const messages: Message[] = [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'x' }] }]; // prettier-ignore
  const events = await harness.chat({ messages });
  expect(harness.upstream.requests[0]?.body).toMatchObject({ messages: [{ role: 'assistant', content: 'x' }] });
  expect(JSON.stringify(harness.upstream.requests[0]?.body)).not.toContain('hm');
  expect(events[0]).toEqual({ type: 'meta', ignored: ['reasoning_content'] });
});
