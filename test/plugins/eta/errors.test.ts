import { failureOf } from '../../http/open-pool';
import { CUT, json, raw, sse, STALL, type Answer } from '../../setup/upstream';
import { chatRequest, newCall, type DriverHarness } from '../harness';
import { startEta } from './harness';
import { begin, end, event, message, refusal, textBlock } from './wire';

let harness: DriverHarness;

beforeEach(async () => {
  harness = await startEta();
});

afterEach(() => harness.close());

const withRetryAfter = (answer: Answer) => ({ ...answer, headers: { ...answer.headers, 'retry-after': '7' } });

describe.each([false, true])('with stream: %s', (stream) => {
  test.each<[string, Answer, object]>([
    [
      '401',
      refusal('invalid x-api-key', 401, 'authentication_error'),
      { code: 'auth', status: 401, hint: 'check the key in ANTHROPIC_API_KEY' },
    ],
    ['402', refusal('no money', 402, 'billing_error'), { code: 'rejected', kind: 'usage_limit' }],
    ['400 without credit', refusal('Your credit balance is too low'), { code: 'rejected', kind: 'usage_limit' }],
    [
      '400 for its length',
      refusal('prompt is too long: 9 tokens > 8 maximum'),
      { code: 'rejected', kind: 'context_overflow' },
    ],
    [
      '404',
      refusal('model: claude-9', 404, 'not_found_error'),
      { code: 'rejected', kind: 'model_unavailable', hint: expect.stringContaining('"m"') as string },
    ],
    [
      '429',
      withRetryAfter(refusal('slow down', 429, 'rate_limit_error')),
      { code: 'rate_limited', status: 429, retryAfterS: 7 },
    ],
    [
      '529',
      withRetryAfter(refusal('Overloaded', 529, 'overloaded_error')),
      { code: 'upstream', status: 529, kind: 'overloaded', retryAfterS: 7 },
    ],
    [
      'JSON that is no message',
      json({ hello: 1 }),
      { code: 'protocol', hint: expect.stringContaining('base_url') as string },
    ],
    [
      'an error with 200',
      json({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }),
      { code: 'upstream', kind: 'overloaded' },
    ],
    ['no content', json(message([], { stop_reason: null })), { code: 'upstream', kind: 'empty' }],
  ])('%s', async (_, answer, expected) => {
    harness.upstream.answer(answer);
    expect(await failureOf(harness.chat({ stream }))).toMatchObject(expected);
    expect(harness.upstream.requests).toHaveLength(1);
  });
});

describe('a stream', () => {
  const text = textBlock(0, 'Hel', 'lo');

  test.each<[string, Answer, object]>([
    ['cut in the middle', sse([begin, ...text.slice(0, 2), CUT]), { code: 'protocol', kind: 'truncated' }],
    [
      'ending in the middle',
      sse([begin, ...text]),
      { code: 'protocol', kind: 'truncated', message: expect.stringContaining('in the middle') as string },
    ],
    [
      'ending before its last word',
      sse([begin, ...text, end().split('\n\n')[0] + '\n\n']),
      { code: 'protocol', kind: 'truncated' },
    ],
    [
      'without anything',
      sse([]),
      { code: 'protocol', kind: 'truncated', message: expect.stringContaining('before the answer') as string },
    ],
    [
      'with an overload',
      sse([begin, ...text, event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })]),
      { code: 'upstream', status: 529, kind: 'overloaded', message: expect.stringContaining('Overloaded') as string },
    ],
    [
      'with a rate limit',
      sse([begin, event('error', { error: { type: 'rate_limit_error', message: 'Slow' } })]),
      { code: 'rate_limited', status: 429 },
    ],
    [
      'with an error of a proxy',
      sse([begin, { error: { message: 'gone' } }]),
      { code: 'upstream', message: expect.stringContaining('gone') as string },
    ],
  ])('%s', async (_, answer, expected) => {
    harness.upstream.answer(answer);
    expect(await failureOf(harness.chat({ stream: true }))).toMatchObject(expected);
  });

  test('whose connection stays open after its last word is complete', async () => {
    harness.upstream.answer(sse([begin, ...text, end(), STALL]));
    expect((await harness.chat({ stream: true })).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    await harness.upstream.clientClosed();
  });
});

describe('leaving', () => {
  test.each([false, true])('with the first event, stream: %s, lets go of the connection', async (stream) => {
    harness.upstream.answer(
      stream ? sse([begin, STALL]) : raw(['{', STALL], { headers: { 'content-type': 'application/json' } }),
    );
    for await (const first of harness.driver.chat(chatRequest({ stream, extra: { seed: 1 } }), newCall())) {
      expect(first).toEqual({ type: 'meta', ignored: ['seed'] });
      break;
    }
    await harness.upstream.clientClosed();
  });

  test('leaves nothing on the signal, however many requests it has seen', async () => {
    harness.upstream.answer(json(message()));
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    await harness.chat({}, signal);
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
