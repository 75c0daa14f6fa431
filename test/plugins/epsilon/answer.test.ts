import type { ChatEvent, ChatRequest } from 'drivebay/plugin';
import { completion, CUT, delta, DONE, finish, json, raw, sse, STALL, usageChunk } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import { chatRequest, type DriverHarness } from '../harness';
import { newCall, startEpsilon } from './harness';

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEpsilon();
});

afterEach(() => harness.close());

const meta = { type: 'meta', model: 'up-model' };
const details = {
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const usage = {
  type: 'usage',
  inputTokens: 9,
  outputTokens: 5,
  cachedInputTokens: 3,
  reasoningTokens: 4,
  extra: { prompt_tokens_details: { audio_tokens: 1 } },
};

test('a single-shot answer becomes text, unknown fields, usage and finish', async () => {
  const counted = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, ...details };
  harness.upstream.answer(json(completion('Grüße 😀', { usage: counted, service_tier: 'flex' })));
  expect(await harness.chat()).toEqual([
    meta,
    { type: 'extra', response: { service_tier: 'flex' } },
    { type: 'text', text: 'Grüße 😀' },
    usage,
    { type: 'finish', reason: 'stop' },
  ]);
});

test.each([undefined, 1, 7])('a stream becomes the same, in writes of %p bytes', async (split) => {
  const pieces = [delta({ role: 'assistant', content: '' }), delta('Grüße '), ': ping\n\n', delta('😀'), finish()];
  harness.upstream.answer(sse([...pieces, usageChunk(9, 5, details), DONE], split === undefined ? {} : { split }));
  expect(await harness.chat({ stream: true })).toEqual([
    meta,
    { type: 'text', text: 'Grüße ' },
    { type: 'text', text: '😀' },
    usage,
    { type: 'finish', reason: 'stop' },
  ]);
});

test('parallel tool calls of a stream keep indexes and ids', async () => {
  const piece = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
  harness.upstream.answer(
    sse([
      piece(0, { id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }),
      piece(0, { function: { arguments: '{"a":' } }),
      piece(0, { function: { arguments: '1}' } }),
      piece(1, { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } }),
      finish('tool_calls'),
      DONE,
    ]),
  );
  const events = await harness.chat({ stream: true });
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([
    { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '' },
    { type: 'tool_call', index: 0, arguments: '{"a":' },
    { type: 'tool_call', index: 0, arguments: '1}' },
    { type: 'tool_call', index: 1, id: 'c2', name: 'g', arguments: '{}' },
  ]);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
});

test.each(['length', 'content_filter'])('the finish reason %s comes through', async (reason) => {
  harness.upstream.answer(sse([delta('x'), finish(reason), DONE]));
  expect((await harness.chat({ stream: true })).at(-1)).toEqual({ type: 'finish', reason });
});

test('a refusal comes through as the vendor spells it', async () => {
  harness.upstream.answer(json(completion({ role: 'assistant', content: null, refusal: 'no' })));
  expect(await harness.chat()).toContainEqual({ type: 'extra', delta: { refusal: 'no' } });
});

/** It takes some ms, though not on a busy machine; a body that is merely left is closed after a second. */
const AT_ONCE_MS = 500;

describe('cancellation', () => {
  test.each([
    ['before the head', raw([STALL]), false],
    ['before the head of a stream', raw([STALL]), true],
    ['in the middle of a single-shot body', raw(['{"id":', STALL], { headers: { 'content-type': 'application/json' } }), false], // prettier-ignore
    ['in the middle of a stream', sse([delta('x'), STALL]), true],
  ])('%s closes the upstream connection at once', async (_, answer, stream) => {
    harness.upstream.answer(answer);
    const abort = new AbortController();
    const chatting = failureOf(harness.chat({ stream }, abort.signal));
    await harness.upstream.arrived();
    await new Promise((resolve) => setImmediate(resolve));
    const started = performance.now();
    abort.abort(new Error('client gone'));
    expect((await chatting).code).toBe('canceled');
    await harness.upstream.clientClosed();
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
  });

  test('by leaving the loop ends the upstream call', async () => {
    harness.upstream.answer(sse([delta('x'), STALL]));
    const request: ChatRequest = chatRequest({ stream: true });
    for await (const event of harness.driver.chat(request, newCall())) if (event.type === 'text') break;
    await harness.upstream.clientClosed();
  });
});

test('what came before the fault is delivered', async () => {
  harness.upstream.answer(sse([delta('half'), CUT]));
  const events: ChatEvent[] = [];
  const reading = (async () => {
    for await (const event of harness.driver.chat(chatRequest({ stream: true }), newCall())) events.push(event);
  })();
  expect(await failureOf(reading)).toMatchObject({ code: 'protocol', kind: 'truncated' });
  expect(events).toContainEqual({ type: 'text', text: 'half' });
});
