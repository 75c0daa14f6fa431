import type { ChatEvent } from 'drivebay/plugin';
import { makeDriverError } from '../../../core/contract/driver-error';
import { CallIds } from '../../../plugins/zeta/call-marks';
import { NativeReader } from '../../../plugins/zeta/native-reader';
import { failureOf } from '../../http/open-pool';
import { CUT, json, sse, type Piece } from '../../setup/upstream';
import { call, calls, result, says } from '../messages';
import { useVendor, ZETA } from '../vendors';
import { answer, end } from './wire';

const harness = useVendor(ZETA);

function streamed(pieces: Piece[]): Promise<ChatEvent[]> {
  harness().upstream.answer(sse(pieces));
  return harness().chat({ stream: true });
}

function whole(value: object): Promise<ChatEvent[]> {
  harness().upstream.answer(json(value));
  return harness().chat();
}

const META = { type: 'meta', model: 'up-model' };
const USAGE = { type: 'usage', inputTokens: 3, outputTokens: 2 };
const STOP = { type: 'finish', reason: 'stop' };
const signed = (value: string) => ({ extra_content: { google: { thought_signature: value } } });

test('a text, single-shot', async () => {
  expect(await whole(end('Hi'))).toEqual([META, { type: 'text', text: 'Hi' }, USAGE, STOP]);
});

test('a text, streamed', async () => {
  const events = await streamed([answer('Hé'), answer('llo'), end()]);
  expect(events).toEqual([META, { type: 'text', text: 'Hé' }, { type: 'text', text: 'llo' }, USAGE, STOP]);
  expect(harness().upstream.requests[0]?.path).toBe('/v1beta/models/m:streamGenerateContent?alt=sse');
});

test('thoughts are reasoning, and the signature of the text comes once, before the end', async () => {
  const events = await streamed([
    answer([{ text: 'hm', thought: true }]),
    answer([{ text: 'So', thoughtSignature: 's1' }]),
    end([{ text: '', thoughtSignature: 's2' }]),
  ]);
  expect(events).toEqual([
    META,
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'So' },
    { type: 'extra', delta: signed('s2') },
    USAGE,
    STOP,
  ]);
});

test('a signature alone is no answer', async () => {
  const events = await whole(end([{ text: '', thoughtSignature: 's' }]));
  expect(events).toEqual([META, USAGE, STOP]);
});

test('a text’s signature ends the reasoning for clients of other wires', async () => {
  harness().upstream.answer(json(end([{ text: 'Hi', thoughtSignature: 's' }])));
  const origin = { api: 'responses' as const, body: {}, headers: {} };
  const events = await harness().chat({ origin });
  expect(events).toContainEqual({ type: 'reasoning_end', extra: signed('s') });
  expect(events.filter(({ type }) => type === 'extra')).toEqual([]);
});

describe('tool calls', () => {
  test('are whole, numbered, with the vendor’s ids and signatures; ids are made where there are none', async () => {
    const events = await streamed([
      answer([{ functionCall: { id: 'n1', name: 'f', args: { x: 'é' } }, thoughtSignature: 's1' }]),
      answer([{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'g' } }]),
      end(),
    ]);
    expect(events).toEqual([
      META,
      { type: 'tool_call', index: 0, id: 'n1', name: 'f', arguments: '{"x":"é"}', extra: signed('s1') },
      { type: 'tool_call', index: 1, id: expect.stringMatching(/^call_\w{32}$/), name: 'f', arguments: '{}' },
      { type: 'tool_call', index: 2, id: expect.stringMatching(/^call_\w{32}$/), name: 'g', arguments: '{}' },
      USAGE,
      { type: 'finish', reason: 'tool_calls' },
    ]);
    const ids = events.flatMap((event) => (event.type === 'tool_call' ? [event.id] : []));
    expect(new Set(ids).size).toBe(3);
  });

  test('have ids of their own, where the vendor gives one twice or again, which it gets back as it knows them', async () => {
    const twice = { id: 'n1', name: 'f', args: {} };
    harness().upstream.answer(json(end([{ functionCall: twice }, { functionCall: { ...twice, name: 'g' } }])));
    const earlier = [says('user', 'Go'), calls(call('n1')), result('n1', 'first')];
    const events = await harness().chat({ messages: earlier });
    const made = events.filter((event) => event.type === 'tool_call');
    expect(made.map(({ id }) => id)).toEqual(['n1_repeated2', 'n1_repeated3']);

    harness().upstream.answer(json(end('Done')));
    const parts = made.map(({ id, name }) => call(id!, name));
    const results = [result('n1_repeated3', 'of g'), result('n1_repeated2', 'of f')];
    const { contents } = await harness().sent({ messages: [...earlier, calls(...parts), ...results] });
    expect(contents.slice(3).map((turn: { parts: object[] }) => turn.parts)).toMatchObject([
      [{ functionCall: { id: 'n1', name: 'f' } }, { functionCall: { id: 'n1', name: 'g' } }],
      [
        { functionResponse: { id: 'n1', name: 'f', response: { output: 'of f' } } },
        { functionResponse: { id: 'n1', name: 'g', response: { output: 'of g' } } },
      ],
    ]);
  });
});

describe('the finish reason', () => {
  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['LANGUAGE', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['OTHER', 'stop'],
    ['SOMETHING_NEW', 'stop'],
  ])('%s after a text is %s', async (word, reason) => {
    expect((await whole(end('Hi', {}, word))).at(-1)).toEqual({ type: 'finish', reason });
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'OTHER', 'UNEXPECTED_TOOL_CALL', 'NO_IMAGE'])(
    '%s without a text is an error with the vendor’s words',
    async (word) => {
      harness().upstream.answer(json(answer([], { finishReason: word, finishMessage: 'print(x' })));
      const failure = await failureOf(harness().chat());
      expect(failure).toMatchObject({ code: 'upstream' });
      expect(failure.message).toContain(`"${word}"): print(x`);
    },
  );

  test.each([true, false])('of a blocked prompt is content_filter (stream: %p)', async (stream) => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } };
    harness().upstream.answer(stream ? sse([blocked]) : json(blocked));
    expect(await harness().chat({ stream })).toEqual([
      { type: 'extra', response: { promptFeedback: { blockReason: 'SAFETY' } } },
      { type: 'usage', inputTokens: 4, outputTokens: 0 },
      { type: 'finish', reason: 'content_filter' },
    ]);
  });
});

test('usage has the last of each counter, cached ones within the prompt, thoughts within the answer', async () => {
  const counts = (usageMetadata: object) => ({ usageMetadata });
  const events = await streamed([
    answer('a', {}, counts({ promptTokenCount: 10, cachedContentTokenCount: 8, thoughtsTokenCount: 5 })),
    end('b', counts({ promptTokenCount: 10, toolUsePromptTokenCount: 2, candidatesTokenCount: 7, cachedContentTokenCount: null })), // prettier-ignore
  ]);
  expect(events.at(-2)).toEqual({
    type: 'usage',
    inputTokens: 12,
    outputTokens: 12,
    cachedInputTokens: 8,
    reasoningTokens: 5,
  });
});

test('the first usage comes before the end: whoever leaves a stream has used its input', async () => {
  const counts = (usageMetadata: object) => ({ usageMetadata });
  const events = await streamed([
    answer('a', {}, counts({ promptTokenCount: 10 })),
    answer('b', {}, counts({ promptTokenCount: 10, candidatesTokenCount: 4 })),
    end('c', counts({ promptTokenCount: 10, candidatesTokenCount: 7 })),
  ]);
  const usage = { type: 'usage', inputTokens: 10 };
  expect(events.filter(({ type }) => type === 'usage')).toEqual([
    { ...usage, outputTokens: 0 },
    { ...usage, outputTokens: 7 },
  ]);
  expect(events[2]).toEqual({ ...usage, outputTokens: 0 });
});

test('sounds and pictures are counted apart, within the prompt and the answer', async () => {
  const kinds = (modality: string, tokenCount: unknown) => [
    { modality: 'TEXT', tokenCount: 2 },
    null,
    { modality, tokenCount },
  ];
  const usageMetadata = {
    ...{ promptTokenCount: 34, promptTokensDetails: kinds('AUDIO', 32) },
    ...{ candidatesTokenCount: 1292, candidatesTokensDetails: kinds('IMAGE', 1290) },
  };
  const events = await streamed([
    answer('a', {}, { usageMetadata }),
    end('b', { usageMetadata: { promptTokenCount: 34 } }),
  ]);
  expect(events.at(-2)).toMatchObject({ inputTokens: 34, audioInputTokens: 32, imageOutputTokens: 1290 });
  expect(events.at(-2)).not.toHaveProperty('audioOutputTokens');
});

test('what the vendor says about a candidate comes along once, the last it said', async () => {
  const events = await streamed([
    answer('a', { safetyRatings: [1], groundingMetadata: { chunks: 1 } }),
    answer('b', { safetyRatings: [2] }),
    end('c'),
  ]);
  expect(events.filter(({ type }) => type === 'extra')).toEqual([
    { type: 'extra', choiceFields: { safetyRatings: [2], groundingMetadata: { chunks: 1 } } },
  ]);
});

test('a picture stands in the text; parts of other kinds go along as they are', async () => {
  const run = { executableCode: { language: 'PYTHON', code: '1' } };
  const events = await whole(end([{ inlineData: { mimeType: 'image/png', data: 'AA' } }, run]));
  expect(events.slice(1, 3)).toEqual([
    { type: 'text', text: '![image](data:image/png;base64,AA)' },
    { type: 'extra', delta: { extra_content: { google: { parts: [run] } } } },
  ]);
});

test('several candidates are several choices', async () => {
  const both = [0, 1].map((index) => ({ index, content: { parts: [{ text: `t${index}` }] }, finishReason: 'STOP' }));
  harness().upstream.answer(json({ candidates: both }), json({ candidates: both.slice(1) }));
  expect(await harness().chat({ choices: 2 })).toEqual([
    { type: 'text', text: 't0' },
    { type: 'text', text: 't1', choice: 1 },
    STOP,
    { ...STOP, choice: 1 },
  ]);
  expect(harness().bodies()[0].generationConfig).toEqual({ candidateCount: 2 });
  expect(await failureOf(harness().chat({ choices: 2 }))).toMatchObject({ code: 'upstream' });
});

describe('a stream', () => {
  test('that says in every piece that it has finished is read to its end', async () => {
    const events = await streamed([end('a'), 50, end('b'), end('c')]);
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['a', 'b', 'c']);
  });

  test('of such a model that is cut is not whole', async () => {
    expect(await failureOf(streamed([end('a'), 20, end('b'), CUT]))).toMatchObject({ kind: 'truncated' });
  });

  test('is waited for after its end, and longer where a model says in every piece that it has finished', () => {
    const patience = (...pieces: object[]) => {
      const reader = new NativeReader(1, makeDriverError, new CallIds([]));
      for (const piece of pieces) reader.read(piece as Record<string, unknown>, []);
      return reader.patienceMs;
    };
    expect([patience(answer('a')), patience(answer('a'), end())]).toEqual([undefined, 2_000]);
    expect([patience(end('a')), patience(end('a'), end('b'))]).toEqual([30_000, undefined]);
  });

  test('that comes as a list of JSON is read as one', async () => {
    harness().upstream.answer(json([answer('a'), end('b')]));
    expect(await harness().chat({ stream: true })).toHaveLength(5);
  });
});
