import type { ChatEvent } from 'drivebay/plugin';
import { json, sse } from '../../setup/upstream';
import { ETA, useVendor } from '../vendors';
import { begin, block, callBlock, end, event, message, stream, textBlock, thinkingBlock } from './wire';

const harness = useVendor(ETA);

const without =
  (...types: string[]) =>
  (events: ChatEvent[]) =>
    events.filter(({ type }) => !types.includes(type));

test('a streamed text arrives in its pieces, with model, usage and finish', async () => {
  harness().upstream.answer(stream(textBlock(0, 'Hel', '', 'lo')));
  const usage = {
    type: 'usage',
    inputTokens: 125,
    cachedInputTokens: 100,
    cacheWriteInputTokens: 20,
    extra: { cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 0 } },
  };
  expect(await harness().chat({ stream: true })).toEqual([
    { type: 'meta', model: 'claude-real' },
    // The input is counted at once: whoever leaves now has used it.
    { ...usage, outputTokens: 1 },
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { ...usage, outputTokens: 7 },
    { type: 'finish', reason: 'stop' },
  ]);
  expect(harness().upstream.requests[0]!.body.stream).toBe(true);
});

test('a whole answer says the same as its stream', async () => {
  const thought = { type: 'thinking', thinking: 'Hmm', signature: 'SIG' };
  const call = { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } };
  const content = [thought, { type: 'text', text: 'Hello' }, call, { ...call, id: 't2', input: {} }];
  const pieces = [
    ...thinkingBlock(0, 'SIG', 'Hmm'),
    ...textBlock(1, 'Hello'),
    ...callBlock(2, 't1', 'f', '', '{"a":1}'),
    ...callBlock(3, 't2', 'f', ''),
  ];
  harness().upstream.answer(json(message(content, { stop_reason: 'tool_use' })), stream(pieces, 'tool_use'));
  const whole = await harness().chat();
  const [meta, , ...streamed] = await harness().chat({ stream: true });
  expect([meta, ...streamed]).toEqual(whole);
  expect(without('meta', 'usage')(whole)).toEqual([
    { type: 'reasoning', text: 'Hmm' },
    { type: 'reasoning_end', extra: { thinking_blocks: [thought] } },
    { type: 'text', text: 'Hello' },
    { type: 'tool_call', index: 0, id: 't1', name: 'f' },
    { type: 'tool_call', index: 0, arguments: '{"a":1}' },
    { type: 'tool_call', index: 1, id: 't2', name: 'f' },
    { type: 'tool_call', index: 1, arguments: '{}' },
    { type: 'finish', reason: 'tool_calls' },
  ]);
});

test('calls whose pieces come mixed stay apart', async () => {
  const start = (index: number) =>
    event('content_block_start', { index, content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input: {} } });
  const piece = (index: number, partial_json: string) =>
    event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
  harness().upstream.answer(
    sse([begin, start(1), start(2), piece(2, '{"b"'), piece(1, '{}'), piece(2, ':2}'), end('tool_use')]),
  );
  const events = await harness().chat({ stream: true });
  const pieces = events.flatMap((item) =>
    item.type === 'tool_call' && item.arguments ? [[item.index, item.arguments]] : [],
  );
  expect(pieces).toEqual([
    [1, '{"b"'],
    [0, '{}'],
    [1, ':2}'],
  ]);
});

test('blocks of the vendor’s own tools are no text, and arguments in the head of a call count', async () => {
  harness().upstream.answer(
    stream(
      [
        ...block(
          0,
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
          { type: 'input_json_delta', partial_json: '{"q":1}' },
        ),
        ...block(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
        ...block(
          2,
          { type: 'text', text: 'Fou' },
          { type: 'text_delta', text: 'nd' },
          { type: 'citations_delta', citation: {} },
        ),
        ...block(3, { type: 'tool_use', id: 't', name: 'f', input: { whole: true } }),
      ],
      'tool_use',
    ),
  );
  expect(without('meta', 'usage')(await harness().chat({ stream: true }))).toEqual([
    {
      type: 'extra',
      delta: { server_tool_use: { 0: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} } } },
    },
    {
      type: 'extra',
      delta: {
        web_search_tool_result: { 1: { type: 'web_search_tool_result', tool_use_id: 's', content: [] } },
      },
    },
    { type: 'text', text: 'Fou' },
    { type: 'text', text: 'nd' },
    { type: 'tool_call', index: 0, id: 't', name: 'f' },
    { type: 'tool_call', index: 0, arguments: '{"whole":true}' },
    { type: 'finish', reason: 'tool_calls' },
  ]);
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  ['tool_use', 'stop'],
  ['something_new', 'stop'],
])('stop_reason %s without calls is %s', async (stop_reason, reason) => {
  harness().upstream.answer(json(message('x', { stop_reason })), stream(textBlock(0, 'x'), stop_reason));
  for (const streamed of [false, true]) {
    expect((await harness().chat({ stream: streamed })).at(-1)).toEqual({ type: 'finish', reason });
  }
});

test('the sequence that ended an answer is reported, even if the answer is empty', async () => {
  const fields = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
  const last = event('message_delta', { delta: fields, usage: { output_tokens: 7 } }) + event('message_stop');
  harness().upstream.answer(json(message([], fields)), sse([begin, last]));
  for (const streamed of [false, true]) {
    const finish = { type: 'finish', reason: 'stop', stopSequence: 'END' };
    expect((await harness().chat({ stream: streamed })).at(-1)).toEqual(finish);
  }
});

test('a sequence beside another reason is not reported: some servers put their own stop words there', async () => {
  harness().upstream.answer(json(message('x', { stop_reason: 'end_turn', stop_sequence: '<|im_end|>' })));
  expect((await harness().chat({ stream: false })).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
});

test('later counters win over earlier ones, and null says nothing', async () => {
  const usage = {
    input_tokens: null,
    cache_read_input_tokens: 50,
    output_tokens: 9,
    output_tokens_details: { thinking_tokens: 4 },
  };
  harness().upstream.answer(sse([begin, ...textBlock(0, 'x'), end('end_turn', usage)]));
  const counted = (await harness().chat({ stream: true })).filter(({ type }) => type === 'usage');
  expect(counted.at(-1)).toMatchObject({
    inputTokens: 75,
    cachedInputTokens: 50,
    cacheWriteInputTokens: 20,
    outputTokens: 9,
    reasoningTokens: 4,
  });
});

// The vendor bills it, but no other count includes it.
test('the summary of a long conversation counts, too', async () => {
  const iterations = [
    { type: 'compaction', input_tokens: 180000, output_tokens: 3500, cache_read_input_tokens: 10 },
    { type: 'message', input_tokens: 23000, output_tokens: 1000 },
  ];
  const usage = { input_tokens: 23000, output_tokens: 1000, iterations };
  const summary = [{ type: 'compaction', content: 'S' }];
  harness().upstream.answer(
    json(message(summary, { usage })),
    sse([
      event('message_start', { message: message([], { usage: { input_tokens: 23000, output_tokens: 1 } }) }),
      ...textBlock(0, 'x'),
      end('end_turn', usage),
    ]),
  );
  for (const streamed of [false, true]) {
    const counted = (await harness().chat({ stream: streamed })).filter(({ type }) => type === 'usage');
    expect(counted.at(-1)).toEqual({
      ...{ type: 'usage', inputTokens: 203010, cachedInputTokens: 10, outputTokens: 4500, requests: 2 },
    });
  }
});
