import type { Call, ChatEvent, ChatRequest, Driver } from '../../core/contract/api';
import { ChatTurn } from '../../core/providers/chat-turn';
import type { ProviderSettings } from '../../core/providers/settings';
import { CAPABLE, pricesOf, settings } from './settings';

const stop: ChatEvent = { type: 'finish', reason: 'stop' };
const text = (value: string): ChatEvent => ({ type: 'text', text: value });

/** Lets a driver yield these events; returns what was passed on, and how it ended. */
async function run(
  events: Iterable<unknown> | AsyncIterable<unknown>,
  request: Partial<ChatRequest> = {},
  of: Partial<ProviderSettings> = {},
) {
  const driver = {
    async *chat() {
      yield* events as AsyncIterable<ChatEvent>;
    },
  } as unknown as Driver;
  const passed: ChatEvent[] = [];
  const unknown: unknown[] = [];
  const answer = new ChatTurn(
    {
      ...settings({ prices: pricesOf(0.5), capabilities: CAPABLE, ...of }),
      noteUnknownEvent: (type) => void unknown.push(type),
    },
    { messages: [], ...request } as unknown as ChatRequest,
    (event) => void passed.push(event),
    {},
  );
  answer.prepare();
  const outcome: Promise<unknown> = answer.complete.catch((error: unknown) => error);
  await answer.run(driver, { signal: new AbortController().signal } as Call);
  return { passed, unknown, result: await outcome };
}

test('a complete answer has the last usage, the model and its cost', async () => {
  const { result } = await run([
    { type: 'meta', model: 'm-1' },
    text('x'),
    { type: 'usage', inputTokens: 1, outputTokens: 1 },
    { type: 'usage', inputTokens: 3, outputTokens: 2 },
    stop,
  ]);
  expect(result).toMatchObject({ model: 'm-1', costUsd: 2.5, usage: { inputTokens: 3, outputTokens: 2 } });
});

test.each([
  ['what the backend says', { costUsd: 0.25 }, 0.25],
  ['nothing, where the backend says so', { costUsd: 0 }, 0],
  ['what its tokens cost, where the backend says nothing', {}, 2.5],
])('an answer costs %s', async (_, fields, costUsd) => {
  const { result } = await run([text('x'), { type: 'usage', inputTokens: 3, outputTokens: 2, ...fields }, stop]);
  expect(result).toMatchObject({ costUsd });
});

test.each([undefined, { type: 'text' }, Promise.resolve()])(
  'a chat that returns %p says what is expected',
  async (made) => {
    const target = { ...settings(), noteUnknownEvent: () => undefined };
    const answer = new ChatTurn(target, {} as ChatRequest, () => undefined, {});
    const outcome = expect(answer.complete).rejects.toThrow('its chat() has to be an async generator: async *chat(');
    const driver = { chat: () => made } as unknown as Driver;
    await answer.run(driver, { signal: new AbortController().signal } as Call);
    await outcome;
  },
);

test('the time until the first words is measured; a usage is no word', async () => {
  const late = async function* () {
    yield { type: 'usage', inputTokens: 1, outputTokens: 1 };
    await new Promise((resolve) => setTimeout(resolve, 30));
    yield* [{ type: 'reasoning', text: 'hm' }, text('x'), stop];
  };
  const { firstMs } = (await run(late())).result as { firstMs: number };
  expect(firstMs).toBeGreaterThanOrEqual(29);
});

test('an answer without a usage costs nothing that is known', async () => {
  expect((await run([text('x'), stop])).result).toMatchObject({ usage: undefined, model: undefined, costUsd: 0 });
});

test.each<[string, unknown[], string]>([
  ['nothing', [stop], 'empty'],
  ['empty texts', [text(''), stop], 'empty'],
  ['reasoning', [{ type: 'reasoning', text: 'x' }, stop], 'empty'],
  ['lists of annotations', [{ type: 'extra', delta: { annotations: [1] } }, stop], 'empty'],
  ['an empty refusal', [{ type: 'extra', delta: { refusal: '' } }, stop], 'empty'],
  ['no finish', [text('x')], 'truncated'],
  ['no events', [], 'truncated'],
])('%s and nothing else is no answer', async (_name, events, kind) => {
  expect((await run(events)).result).toMatchObject({ kind });
});

test.each<[string, unknown[]]>([
  ['a text', [text('x'), stop]],
  ['a tool call', [{ type: 'tool_call', index: 0, name: 'f' }, stop]],
  ['a refusal', [{ type: 'extra', delta: { refusal: 'no' } }, stop]],
  ['a drawn answer', [{ type: 'extra', delta: { images: [{ image_url: { url: 'data:' } }] } }, stop]],
  ['a spoken answer', [{ type: 'extra', delta: { audio: { data: 'AA' } } }, stop]],
  ['an answer cut by its length', [{ type: 'finish', reason: 'length' }]],
  ['an answer held back by a filter', [{ type: 'finish', reason: 'content_filter' }]],
])('%s is an answer', async (_name, events) => {
  expect((await run(events)).result).toHaveProperty('costUsd');
});

test('mode call gives a stream one piece of each kind, also of a driver that streams all the same', async () => {
  const hm: ChatEvent = { type: 'reasoning', text: 'hm' };
  const events = [hm, text('one '), text('two'), stop];
  const { passed } = await run(events, { stream: true }, { mode: 'call' });
  expect(passed).toEqual([hm, text('one two'), stop]);
});

test('events of a type that the contract does not know are passed over, and noted', async () => {
  const { passed, unknown, result } = await run([{ type: 'txet', text: 'a' }, { text: 'b' }, text('x'), stop]);
  expect(passed).toEqual([text('x'), stop]);
  expect(unknown).toEqual(['txet', undefined]);
  expect(result).toHaveProperty('costUsd');
});

test('empty texts are not passed on', async () => {
  expect((await run([text(''), text('x'), stop])).passed).toEqual([text('x'), stop]);
});

test('stop after a tool call is told as tool_calls, for the choice that called', async () => {
  const { passed } = await run(
    [
      { type: 'tool_call', index: 0, name: 'f', choice: 1 },
      text('x'),
      { type: 'finish', reason: 'stop', choice: 1 },
      stop,
    ],
    { choices: 2 },
  );
  expect(passed.filter(({ type }) => type === 'finish')).toEqual([
    { type: 'finish', reason: 'tool_calls', choice: 1 },
    stop,
  ]);
});

test('a second finish of the same choice is none, and what follows a finish is dropped', async () => {
  const { passed, result } = await run([text('a'), stop, text('late'), stop], { choices: 2 });
  expect(passed).toEqual([text('a'), stop]);
  expect(result).toMatchObject({ kind: 'truncated' });
});

test.each([
  null,
  undefined,
  7,
  'text',
  { type: 'meta', model: 5 },
  { type: 'meta', ignored: 'top_k' },
  { type: 'meta', ignored: [5] },
  { type: 'text' },
  { type: 'text', text: 5 },
  { type: 'text', text: 'x', choice: 1 },
  { type: 'text', text: 'x', choice: -1 },
  { type: 'text', text: 'x', choice: '0' },
  { type: 'reasoning', text: null },
  { type: 'tool_call' },
  { type: 'tool_call', index: 1.5 },
  { type: 'tool_call', index: 5000 },
  { type: 'tool_call', index: 0, arguments: {} },
  { type: 'extra', response: [] },
  { type: 'usage', inputTokens: NaN, outputTokens: 0 },
  { type: 'usage', inputTokens: -1, outputTokens: 0 },
  { type: 'usage', inputTokens: 1, outputTokens: 0, costUsd: -0.5 },
  { type: 'usage', inputTokens: 1, outputTokens: 0, cachedInputTokens: '1' },
  { type: 'finish', reason: 'toString' },
  { type: 'reasoning_end', extra: 'signed' },
  { type: 'native', value: 'message_start' },
])('%j is no event, and nothing of it is passed on', async (event) => {
  const { passed, result } = await run([text('x'), event, stop]);
  expect(passed).toEqual([text('x')]);
  expect(result).toMatchObject({ message: expect.stringMatching(/^it yielded an invalid event: /) });
});

test.each([
  [{ type: 'text', txt: 'x' }, 'the text of "text" is a text, found nothing'],
  [{ type: 'finish', reason: 'done' }, 'one of stop, length, tool_calls, content_filter, found the text "done"'],
  [{ type: 'finish', reason: 'stop', stopSequence: 7 }, 'the stopSequence of "finish" is a text, found the number 7'],
  [{ type: 'finish' }, 'one of stop, length, tool_calls, content_filter, found nothing'],
  [{ type: 'tool_call', index: '0' }, 'the index of "tool_call" is a whole number from 0, found the text "0"'],
  [
    { type: 'usage', inputTokens: '5' },
    'inputTokens and outputTokens of "usage" are numbers from 0, found the text "5"',
  ],
])('the author of %j is told what is wanted there', async (event, words) => {
  const { result } = await run([event, stop]);
  expect(result).toMatchObject({ message: expect.stringContaining(words) });
});

test.each([
  ['text', { type: 'text' }],
  ['reasoning', { type: 'reasoning' }],
  ['arguments', { type: 'tool_call', index: 0, id: 'a', name: 'f' }],
])('an answer whose %s never ends is a failure, and its driver ends', async (_, event) => {
  const piece = 'x'.repeat(1024 * 1024);
  let isOver = false;
  const forEver = function* () {
    try {
      for (;;) yield { ...event, text: piece, arguments: piece };
    } finally {
      isOver = true;
    }
  };
  const { result } = await run(forEver());
  expect(result).toMatchObject({
    code: 'protocol',
    message: 'the answer does not end: it has more than 67108864 characters',
    hint: expect.stringContaining('set max_tokens of provider ') as string,
  });
  expect(isOver).toBe(true);
});

test('a call without a name fails: no client could run it, and no conversation hold it', async () => {
  const call = { type: 'tool_call', index: 0, id: 'a', arguments: '{}' };
  const { passed, result } = await run([{ ...call, name: '' }, stop]);
  expect(passed).toEqual([]);
  expect(result).toMatchObject({ code: 'protocol', message: 'the model called a tool without its name' });
  const other = { ...call, name: '', extra: { type: 'custom', custom: { name: 'f' } } };
  expect((await run([other, stop])).passed[0]).toEqual(other);
});
