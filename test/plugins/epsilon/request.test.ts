import type { Message } from 'drivebay/plugin';
import { completion, json } from '../../setup/upstream';
import { calls, says, text } from '../messages';
import { EPSILON, useVendor } from '../vendors';

const harness = useVendor(EPSILON);

beforeEach(() => void harness().upstream.answer(json(completion('x'))));

test('goes by the SDK, which changes nothing and adds nothing', async () => {
  const extra = { seed: 7, top_k: 4, deep: { a: [1] } };
  const body = await harness().sent({ reasoningEffort: 'HiGh?', temperature: 99, choices: 1, extra });
  const wanted = { ...extra, reasoning_effort: 'HiGh?', temperature: 99, n: 1 };
  expect(body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: false, ...wanted });
  const { method, headers } = harness().upstream.requests[0]!;
  expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
  expect(headers['user-agent']).toMatch(/^OpenAI\/JS/);
});

test('has the token limit under its younger name', async () => {
  expect(await harness().sent({ maxTokens: 9 })).toMatchObject({ max_completion_tokens: 9 });
});

test('asks every stream for usage', async () => {
  expect(await harness().sent({ stream: true })).toMatchObject({ stream_options: { include_usage: true } });
});

test('keeps all roles in their order', async () => {
  const roles: Message['role'][] = ['system', 'developer', 'system', 'user', 'assistant'];
  const { messages } = await harness().sent({ messages: roles.map((role) => says(role, role)) });
  expect(messages).toEqual(roles.map((role) => ({ role, content: role })));
});

test('leaves reasoning of other vendors out, and says so', async () => {
  const messages = [calls({ type: 'reasoning', text: 'hm' }, text('x'))];
  expect(await harness().ignoredBy({ messages })).toEqual(['reasoning_content']);
  expect(harness().bodies()[0].messages).toEqual([{ role: 'assistant', content: 'x' }]);
});
