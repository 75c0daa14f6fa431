import { failureOf } from '../../http/open-pool';
import { json, raw, sse, STALL, type Answer } from '../../setup/upstream';
import { chatRequest, newCall } from '../harness';
import { ETA, useVendor } from '../vendors';
import { begin, end, event, message, refusal, textBlock } from './wire';

const harness = useVendor(ETA);
const textLike = (part: string): unknown => expect.stringContaining(part);
const text = textBlock(0, 'Hel', 'lo');

test.each<[string, Answer, object]>([
  ['402', refusal('no money', 402, 'billing_error'), { code: 'rejected', kind: 'billing' }],
  ['400 without credit', refusal('Your credit balance is too low'), { code: 'rejected', kind: 'billing' }],
  [
    '400 for its length',
    refusal('prompt is too long: 9 tokens > 8 maximum'),
    { code: 'rejected', kind: 'context_overflow' },
  ],
  ['529', refusal('Overloaded', 529, 'overloaded_error'), { code: 'upstream', status: 529, kind: 'overloaded' }],
  ['JSON that is no message', json({ hello: 1 }), { code: 'protocol', hint: textLike('base_url') }],
  [
    'an error with 200',
    json({ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }),
    { code: 'upstream', kind: 'overloaded' },
  ],
  ['a plain text with 200', json({ error: 'out of memory' }), { code: 'upstream', message: textLike('out of memory') }],
  ['no content', json(message([], { stop_reason: null })), { code: 'upstream', kind: 'empty' }],
])('%s is an error', async (_, answer, expected) => {
  harness().upstream.answer(answer);
  expect(await failureOf(harness().chat())).toMatchObject(expected);
  expect(harness().bodies()).toHaveLength(1);
});

test.each<[string, Answer, object]>([
  [
    'ends in the middle',
    sse([begin, ...text]),
    { code: 'protocol', kind: 'truncated', message: textLike('in the middle') },
  ],
  [
    'ends before its last word',
    sse([begin, ...text, end().split('\n\n')[0] + '\n\n']),
    { code: 'protocol', kind: 'truncated' },
  ],
  ['has no event', sse([]), { code: 'protocol', kind: 'truncated', message: textLike('before the answer') }],
  [
    'reports an overload',
    sse([begin, ...text, event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })]),
    { code: 'upstream', status: 529, kind: 'overloaded', message: textLike('Overloaded') },
  ],
  [
    'reports a rate limit',
    sse([begin, event('error', { error: { type: 'rate_limit_error', message: 'Slow' } })]),
    { code: 'rate_limited', status: 429 },
  ],
  [
    'reports an error of a proxy',
    sse([begin, { error: { message: 'gone' } }]),
    { code: 'upstream', message: textLike('gone') },
  ],
  [
    'reports an error as a text',
    sse([begin, { error: 'out of memory' }]),
    { code: 'upstream', message: textLike('out of memory') },
  ],
])('a stream that %s fails', async (_, answer, expected) => {
  harness().upstream.answer(answer);
  expect(await failureOf(harness().chat({ stream: true }))).toMatchObject(expected);
});

test('a stream whose connection stays open after its last word is complete', async () => {
  harness().upstream.answer(sse([begin, ...text, end(), STALL]));
  expect((await harness().chat({ stream: true })).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  await harness().upstream.clientClosed();
});

test.each([false, true])(
  'a caller that leaves with the first event frees the connection, stream: %s',
  async (stream) => {
    const { upstream, driver } = harness();
    upstream.answer(
      stream ? sse([begin, STALL]) : raw(['{', STALL], { headers: { 'content-type': 'application/json' } }),
    );
    for await (const first of driver.chat(chatRequest({ stream, extra: { seed: 1 } }), newCall())) {
      expect(first).toEqual({ type: 'meta', ignored: ['seed'] });
      break;
    }
    await upstream.clientClosed();
  },
);

test('an answer without content reports its usage', async () => {
  harness().upstream.answer(json(message([], { stop_reason: null })), sse([begin, end(null)]));
  for (const stream of [false, true]) {
    const counted = await harness().countedBeforeFailure({ stream });
    expect(counted.at(-1)).toMatchObject({ inputTokens: 125, outputTokens: 7 });
  }
});
