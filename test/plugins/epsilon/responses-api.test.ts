import { OpenAI } from 'openai';
import type { ChatEvent, ChatRequest } from 'drivebay/plugin';
import { failureOf } from '../../http/open-pool';
import { completion, json, sse } from '../../setup/upstream';
import { type DriverHarness, useDriver } from '../harness';
import { EPSILON, startVendor } from '../vendors';
import { begin, BODY, end, event, ITEMS, itemEvents, refuse, response, stream } from './wire';

const wired = (wire: string) => startVendor(EPSILON, { wire } as Parameters<typeof DriverHarness.start>[1]);
const harness = useDriver(() => wired('responses'));

const asked = (body: Record<string, unknown> = BODY, fields: Partial<ChatRequest> = {}): Partial<ChatRequest> => ({
  stream: body.stream === true,
  origin: { api: 'responses', body, headers: {} },
  ...fields,
});
const natives = (events: ChatEvent[]) => events.flatMap((each) => (each.type === 'native' ? [each.value] : []));
const others = (events: ChatEvent[]) => events.filter(({ type }) => type !== 'native');
const paths = () => harness().upstream.requests.map(({ path }) => path);
const all = Object.values(ITEMS);

test('a body that stands for itself arrives byte for byte as in a direct call, but for the model', async () => {
  const { upstream } = harness();
  upstream.answer(stream([ITEMS.message]));
  const direct = new OpenAI({ apiKey: 'sk-1', baseURL: `${upstream.url}/v1` });
  await direct.post('/responses', { body: { ...BODY, model: 'm' } }).asResponse();
  await harness().chat(asked());
  const [wanted, arrived] = upstream.requests;
  expect([arrived!.path, arrived!.text]).toEqual([wanted!.path, wanted!.text]);
});

test.each([true, false])('a stream comes as it is, and says the same to the rest of Drivebay (deltas: %s)', async (hasDeltas) => {
  harness().upstream.answer(stream(all, {}, hasDeltas));
  const events = await harness().chat(asked());
  expect(natives(events).map(({ type }) => type)).toEqual([
    ...['response.created', 'response.in_progress'],
    ...all.flatMap((item, index) => itemEvents(index, item, hasDeltas)).map((text) => /"type":"([\w.]+)"/.exec(text)![1]),
    'response.completed',
  ]);
  expect(natives(events).at(-1)).toEqual({ type: 'response.completed', response: response(all) });
  const merged = (type: string, field: string) =>
    others(events).flatMap((each) => (each.type === type ? [(each as unknown as Record<string, string>)[field] ?? ''] : [])).join('');
  expect(merged('text', 'text')).toBe('Hello');
  expect(merged('reasoning', 'text')).toBe('Look');
  expect(merged('tool_call', 'arguments')).toBe('{"a":1}{"input":"a \\"b\\"\\n"}');
  expect(events.filter((each) => each.type === 'tool_call' && each.id)).toMatchObject([
    { index: 0, id: 'call_1', name: 'mcp__s__t' },
    { index: 1, id: 'call_2', name: 'apply_patch' },
  ]);
  expect(others(events).filter(({ type }) => type === 'reasoning_end')).toHaveLength(1);
  expect(events.slice(-2)).toEqual([
    { type: 'usage', inputTokens: 12, outputTokens: 9, cachedInputTokens: 4, reasoningTokens: 3 },
    { type: 'finish', reason: 'tool_calls' },
  ]);
}); // prettier-ignore

test('a whole answer comes as it is, and says the same', async () => {
  const whole = response(all);
  harness().upstream.answer(json(whole), stream(all, {}, false));
  const events = await harness().chat(asked({ ...BODY, stream: false }));
  expect(events[0]).toEqual({ type: 'native', value: whole });
  expect(others(events)).toEqual(others(await harness().chat(asked())));
});

test.each<[string, object, object]>([
  ['max_output_tokens', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, { reason: 'length' }],
  ['content_filter', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, { reason: 'content_filter' }],
  ['nothing', {}, { reason: 'stop' }],
])('an answer that %s ends', async (_, fields, expected) => {
  harness().upstream.answer(stream([ITEMS.message], { ...fields }));
  expect((await harness().chat(asked())).at(-1)).toMatchObject(expected);
}); // prettier-ignore

test('a refusal, and items of other kinds, are answers without a text', async () => {
  const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'E' };
  const refused = { ...ITEMS.message, content: [{ type: 'refusal', refusal: 'No.' }] };
  harness().upstream.answer(stream([compaction, refused], {}, false));
  const extras = others(await harness().chat(asked())).filter(({ type }) => type === 'extra');
  expect(extras).toEqual([
    { type: 'extra', delta: { compaction } },
    { type: 'extra', delta: { refusal: 'No.' } },
  ]);
});

describe('what is sent stands for itself', () => {
  test('nothing is stored, and reasoning comes back encrypted, unless the model has none', async () => {
    const words = 'Encrypted content is not supported with this model.';
    harness().upstream.answer(({ body }) => (body.include ? refuse(words) : json(response([ITEMS.message]))));
    const body = { input: 'Hi', store: true, client_metadata: { id: 'x' } };
    await harness().chat(asked(body));
    await harness().chat(asked(body));
    const plain = { input: 'Hi', model: 'm', store: false };
    expect(harness().bodies()).toEqual([{ ...plain, include: ['reasoning.encrypted_content'] }, plain, plain]);
  });

  test('reasoning of another model is left out; that which the vendor refuses is left out of this request', async () => {
    const input = [...(BODY.input as object[]), { type: 'reasoning', summary: [], encrypted_content: null }, { type: 'reasoning', summary: [] }];
    const words = 'The encrypted content gAAA... could not be verified.';
    harness().upstream.answer(json(response([ITEMS.message])), refuse(words), json(response([ITEMS.message])));
    const body = { ...BODY, input, stream: false };
    for (const _ of [1, 2, 3]) await harness().chat(asked(body));
    const counts = harness().bodies().map((sent: typeof BODY) => (sent.input as { type: string }[]).filter(({ type }) => type === 'reasoning').length);
    expect(counts).toEqual([1, 1, 0, 1]);
  }); // prettier-ignore

  test('options of the provider count where the client set none', async () => {
    harness().upstream.answer(json(response([ITEMS.message])));
    const options = { reasoningEffort: 'low', maxTokens: 99 };
    const open = await harness().sent(asked({ input: 'Hi', reasoning: { summary: 'auto' } }, options));
    expect(open).toMatchObject({ reasoning: { summary: 'auto', effort: 'low' }, max_output_tokens: 99 });
    const own = { input: 'Hi', reasoning: { effort: 'high' }, max_output_tokens: 7 };
    expect(await harness().sent(asked(own, options))).toMatchObject(own);
  });
});

describe('failures', () => {
  const failed = (code: string, message = 'no') =>
    event('response.failed', { response: response([], { status: 'failed', error: { code, message } }) });

  test.each<[string, string, object]>([
    ['of the vendor', failed('server_error'), { code: 'upstream' }],
    ['of a limit', failed('rate_limit_exceeded'), { code: 'rate_limited', retryAfterS: undefined }],
    [
      'of a limit that says when it ends',
      failed('rate_limit_exceeded', 'Rate limit reached on tokens per min (TPM). Please try again in 1.5s.'),
      { code: 'rate_limited', retryAfterS: 2 },
    ],
    [
      'that have no words',
      event('response.cancelled', { response: response([], { status: 'cancelled', error: null }) }),
      { code: 'upstream', message: expect.stringContaining('the response was cancelled') as string },
    ],
    ['of length', failed('context_length_exceeded'), { code: 'rejected', kind: 'context_overflow' }],
    ['of the prompt', failed('invalid_prompt'), { code: 'rejected' }],
    ['in a piece of their own', event('error', { code: 'server_error', message: 'no' }), { code: 'upstream' }],
    ['as a bare object', 'data: {"error":{"message":"no"}}\n\n', { code: 'upstream' }],
    [
      'inside of a piece',
      event('error', { error: { type: 'tokens', code: 'rate_limit_exceeded', message: 'slow down' } }),
      { code: 'rate_limited', status: 429, message: expect.stringMatching(/error: slow down$/) as string },
    ],
    [
      'that have a type and no code',
      event('error', { error: { type: 'invalid_request_error', code: null, message: 'no' } }),
      { code: 'rejected', status: 400 },
    ],
    [
      'as a text',
      'data: {"error":"out of memory"}\n\n',
      { code: 'upstream', message: expect.stringContaining('out of memory') as string },
    ],
    ['by silence', '', { code: 'protocol', kind: 'truncated' }],
  ])('%s in a stream are errors', async (_, piece, expected) => {
    harness().upstream.answer(sse([...begin, piece].filter(Boolean)));
    expect(await failureOf(harness().chat(asked()))).toMatchObject(expected);
  });

  test('of a whole answer are errors, and another API is none of this one', async () => {
    harness().upstream.answer(
      json(response([], { status: 'failed', error: { code: 'server_error', message: 'no' } })),
      json({ error: { message: 'no' } }),
      json({ error: 'no' }),
      json(completion('x')),
    );
    for (const code of ['upstream', 'upstream', 'upstream', 'protocol']) {
      expect((await failureOf(harness().chat(asked({ ...BODY, stream: false })))).code).toBe(code);
    }
  });
});

describe('an endpoint without the API', () => {
  test('is asked by chat completions, and remembered', async () => {
    harness().upstream.answer(({ path }) =>
      path === '/v1/responses' ? refuse('Invalid URL (POST /v1/responses)', 404) : json(completion('x')),
    );
    const request = asked({ ...BODY, stream: false });
    for (const _ of [1, 2]) expect(others(await harness().chat(request))).toContainEqual({ type: 'text', text: 'x' });
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
  });

  test('is not asked for the answer to a prompt that the vendor keeps', async () => {
    harness().upstream.answer(({ path }) =>
      path === '/v1/responses' ? refuse('Invalid URL (POST /v1/responses)', 404) : json(completion('x')),
    );
    const { origin } = asked({ ...BODY, prompt: { id: 'pmpt_1' } });
    const request = { origin: { ...origin!, stored: { param: 'prompt', instead: 'its text' } } };
    const failure = await failureOf(harness().chat(request));
    expect(failure).toMatchObject({ code: 'invalid_request', param: 'prompt', message: expect.stringContaining('its text') });
    expect(paths()).toEqual(['/v1/responses']);
  }); // prettier-ignore

  test('is not one that lacks the model', async () => {
    harness().upstream.answer(refuse('The model `m` does not exist', 404, 'model_not_found'));
    expect(await failureOf(harness().chat(asked()))).toMatchObject({ code: 'rejected', kind: 'model_unavailable' });
    expect(paths()).toEqual(['/v1/responses']);
  });

  test('is not one that lacks something else that the request names, nor one that has answered before', async () => {
    const unknown = refuse("Prompt with id 'pmpt_1' not found.", 404);
    harness().upstream.answer(unknown, json(response(all)), refuse('Not Found', 404), json(response(all)));
    const request = asked({ ...BODY, stream: false });
    for (const status of [404, undefined, 404, undefined]) {
      const failure = await harness().chat(request).then(() => undefined, (error: unknown) => error);
      expect((failure as { status?: number } | undefined)?.status).toBe(status);
    }
    expect(paths()).toEqual(Array(4).fill('/v1/responses'));
  }); // prettier-ignore
});

test('requests of other wires, and those that name what only the gateway keeps, go by chat completions', async () => {
  harness().upstream.answer(json(completion('x')));
  await harness().chat();
  await harness().chat(asked({ input: 'Hi', previous_response_id: 'resp_0' }));
  await harness().chat({ origin: { api: 'messages', body: {}, headers: {} } });
  expect(paths()).toEqual(Array(3).fill('/v1/chat/completions'));
});

test.each(['chat', undefined])('with wire %s a server that is not the vendor gets chat completions', async (wire) => {
  const other = wire === undefined ? await startVendor(EPSILON) : await wired(wire);
  other.upstream.answer(json(completion('x')));
  await other.chat(asked({ ...BODY, stream: false }));
  expect(other.upstream.requests[0]!.path).toBe('/v1/chat/completions');
  await other.close();
});

const { message: MESSAGE, call: CALL } = ITEMS;
const announced = event('response.output_item.added', { output_index: 0, item: { ...CALL, arguments: '' } });

test.each([
  ['the whole answer', [end([MESSAGE, CALL])], ['Hello'], [CALL.arguments]],
  ['the whole answer behind the beginning', [...begin, end([MESSAGE, CALL])], ['Hello'], [CALL.arguments]],
  ['what was told in pieces', [...begin, ...itemEvents(0, MESSAGE), end([MESSAGE])], ['Hel', 'lo'], []],
  ['the arguments of a call that was announced', [...begin, announced, end([CALL])], [], [CALL.arguments]],
])('the last event may hold %s', async (_, pieces, texts, args) => {
  harness().upstream.answer(sse(pieces));
  const events = await harness().chat(asked());
  expect(events.flatMap((each) => (each.type === 'text' ? [each.text] : []))).toEqual(texts);
  expect(events.flatMap((each) => (each.type === 'tool_call' ? (each.arguments ?? []) : []))).toEqual(args);
});

test('a failed response reports its usage', async () => {
  const failed = response([], { status: 'failed', error: { code: 'server_error', message: 'no' } });
  harness().upstream.answer(json(failed), sse([...begin, event('response.failed', { response: failed })]));
  for (const stream of [false, true]) {
    const counted = await harness().countedBeforeFailure(asked({ ...BODY, stream }));
    expect(counted).toEqual([
      { type: 'usage', inputTokens: 12, outputTokens: 9, cachedInputTokens: 4, reasoningTokens: 3 },
    ]);
  }
});
