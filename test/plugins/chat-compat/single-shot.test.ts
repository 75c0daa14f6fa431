import { completion, json, raw, sse, delta, finish, DONE, type Answer } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import { type DriverHarness, useDriver } from '../harness';
import { startChatCompat } from './harness';

const harness = useDriver(startChatCompat);

function answerWith(answer: Answer): DriverHarness {
  harness().upstream.answer(answer);
  return harness();
}

const meta = { type: 'meta', model: 'up-model' };
const usage = { type: 'usage', inputTokens: 3, outputTokens: 2 };

test('every field of an answer finds its event', async () => {
  const message = {
    role: 'assistant',
    content: 'Hello',
    refusal: null,
    annotations: [],
    reasoning: 'hm',
    reasoning_content: 'hm',
    audio: { id: 'a1' },
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'f', arguments: { a: 1 } } },
      { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
    ],
  };
  const choices = [{ index: 0, message, logprobs: { content: [1] }, finish_reason: 'stop', stop_reason: null }];
  const events = await answerWith(
    json(completion('', { choices, system_fingerprint: 'fp', service_tier: null })),
  ).chat();
  expect(events).toEqual([
    meta,
    { type: 'extra', response: { system_fingerprint: 'fp' } },
    { type: 'extra', delta: { audio: { id: 'a1' } }, choiceFields: { logprobs: { content: [1] } } },
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Hello' },
    { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '{"a":1}' },
    { type: 'tool_call', index: 1, id: 'c2', name: 'g', arguments: '' },
    { type: 'tool_call', index: 1, arguments: '{}' },
    usage,
    { type: 'finish', reason: 'tool_calls' },
  ]);
});

test('several choices keep their indexes', async () => {
  const choices = [0, 1].map((index) => ({ index, message: { content: `c${index}` }, finish_reason: 'length' }));
  expect(await answerWith(json(completion('', { choices }))).chat({ choices: 2 })).toEqual([
    meta,
    { type: 'text', text: 'c0' },
    { type: 'text', text: 'c1', choice: 1 },
    usage,
    { type: 'finish', reason: 'length' },
    { type: 'finish', reason: 'length', choice: 1 },
  ]);
});

test('a content of thinking and text parts is told apart', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
    { type: 'text', text: 'Hello' },
  ];
  const events = await answerWith(json(completion({ role: 'assistant', content }))).chat();
  expect(events).toContainEqual({ type: 'reasoning', text: 'hm' });
  expect(events).toContainEqual({ type: 'text', text: 'Hello' });
});

test('an answer without a finish reason is complete all the same', async () => {
  const choices = [{ message: { content: 'x' } }];
  expect((await answerWith(json(completion('', { choices }))).chat()).at(-1)).toEqual({
    type: 'finish',
    reason: 'stop',
  });
});

test('an answer that streams without having been asked to is read as a stream', async () => {
  const events = await answerWith(sse([delta('Hel'), delta('lo'), finish(), DONE])).chat();
  expect(events.filter((event) => event.type === 'text')).toHaveLength(2);
});

test.each<[string, Answer, object]>([
  [
    'an error of status 200',
    json({ error: { message: 'boom' } }),
    { code: 'upstream', message: /reported an error: boom$/ },
  ],
  ['an error as text', json({ error: 'boom' }), { code: 'upstream' }],
  ['a rate limit of status 200', json({ error: { message: 'x', code: 429 } }), { code: 'rate_limited', status: 429 }],
  ['an error object', json({ object: 'error', message: 'boom' }), { code: 'upstream', message: /boom/ }],
  ['no choices', json(completion('', { choices: [] })), { code: 'upstream', kind: 'empty' }],
  ['another object', json({ hello: 1 }), { code: 'protocol', message: /no choices \(its fields: hello\)/ }],
  ['a list', json([]), { code: 'protocol' }],
  ['nothing', raw([]), { code: 'protocol', message: /empty body/ }],
  ['HTML', raw(['<html>x'], { headers: { 'content-type': 'text/html' } }), { code: 'protocol', message: /HTML/ }],
  [
    'a failed answer',
    json(completion('', { choices: [{ message: { content: 'x' }, finish_reason: 'error' }] })),
    { code: 'upstream' },
  ],
  ['too few choices', json(completion('x')), { code: 'upstream', message: /1 of 2 choices/ }],
])('%s is an error', async (name, answer, expected) => {
  const error = await failureOf(answerWith(answer).chat(name === 'too few choices' ? { choices: 2 } : {}));
  for (const [field, value] of Object.entries(expected)) {
    const found = (error as unknown as Record<string, unknown>)[field];
    if (value instanceof RegExp) expect(found).toMatch(value);
    else expect(found).toBe(value);
  }
});

test('an answer that the server gives up reports its usage', async () => {
  harness().upstream.answer(json(completion('', { choices: [{ message: { content: 'x' }, finish_reason: 'error' }] })));
  expect(await harness().countedBeforeFailure({})).toMatchObject([{ inputTokens: 3, outputTokens: 2 }]);
});
