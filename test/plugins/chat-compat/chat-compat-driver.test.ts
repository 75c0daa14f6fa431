import { completion, delta, DONE, finish, json, raw, sse, type Answer } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import { newCall, useDriver } from '../harness';
import { startChatCompat } from './harness';

const harness = useDriver(startChatCompat);

describe('the key', () => {
  test('is not sent when the provider names no variable', async () => {
    harness().upstream.answer(json(completion('x')));
    await harness().chat();
    expect(harness().upstream.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('that is missing sends nothing', async () => {
    const keyless = await startChatCompat({ api_key_env: 'SOME_KEY' });
    expect((await failureOf(keyless.chat())).code).toBe('auth');
    expect((await failureOf(keyless.check())).code).toBe('auth');
    expect(keyless.upstream.requests).toHaveLength(0);
    await keyless.close();
  });
});

describe('a server that does not know stream_options', () => {
  const refusal: Answer = json({ error: { message: "Unknown field 'stream_options'" } }, { status: 400 });

  test('is asked again without, and remembered', async () => {
    harness().upstream.answer(refusal, sse([delta('x'), finish(), DONE]));
    await harness().chat({ stream: true });
    await harness().chat({ stream: true });
    const asked = harness()
      .bodies()
      .map((body: object) => 'stream_options' in body);
    expect(asked).toEqual([true, false, false]);
  });

  test.each([
    ['once only', refusal, 2],
    ['for no other refusal', json({ error: { message: 'bad temperature' } }, { status: 400 }), 1],
  ])('is asked again %s', async (_, answer, requests) => {
    harness().upstream.answer(answer);
    expect((await failureOf(harness().chat({ stream: true }))).code).toBe('rejected');
    expect(harness().bodies()).toHaveLength(requests);
  });
});

test('a limit that the model refuses is lowered, remembered for that model, and named', async () => {
  harness().upstream.answer(({ body }) => {
    const words = 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]';
    return body.max_tokens > 8192 ? json({ error: { message: words } }, { status: 400 }) : json(completion('x'));
  });
  expect(await harness().ignoredBy({ maxTokens: 32_000 })).toEqual(['max_tokens']);
  await harness().chat({ maxTokens: 32_000 });
  await harness().chat({ maxTokens: 100 });
  const limits = harness()
    .bodies()
    .map((body) => body.max_tokens as number);
  expect(limits).toEqual([32_000, 8192, 8192, 100]);
});

test('a client of another wire brings neither its cache key nor a budget that the provider has not', async () => {
  harness().upstream.answer(json(completion('x')));
  const other = await startChatCompat({ thinking_budget: 99, base_url: harness().upstream.url });
  const request = {
    thinkingBudget: 5000,
    extra: { prompt_cache_key: 'thread-1', metadata: { user_id: 'u' }, top_k: 4 },
    origin: { api: 'responses' as const, body: {}, headers: {} },
  };
  await harness().chat(request);
  await other.chat(request);
  await other.close();
  const plain = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: false, top_k: 4 };
  expect(harness().bodies()).toEqual([plain, { ...plain, thinking: { type: 'enabled', budget_tokens: 5000 } }]);
});

describe('an error', () => {
  const refuse = (status: number, error: unknown = { message: 'no' }) =>
    void harness().upstream.answer(json({ error }, { status, headers: { 'retry-after': '3' } }));

  test.each([
    ['asks for a key', 401, { code: 'auth', hint: expect.stringContaining('api_key_env') as string }],
    ['points at model and address', 404, { hint: expect.stringContaining('"m" and base_url') as string }],
    ['keeps the advice of the server', 429, { code: 'rate_limited', retryAfterS: 3, hint: undefined }],
  ])('%s', async (_, status, expected) => {
    refuse(status);
    expect(await failureOf(harness().chat())).toMatchObject({ status, ...expected });
  });

  test('names the variable of the key', async () => {
    const keyed = await startChatCompat({ api_key_env: 'SOME_KEY' }, 'sk-1');
    keyed.upstream.answer(json({}, { status: 401 }));
    expect(await failureOf(keyed.chat())).toMatchObject({ code: 'auth', hint: 'check the key in SOME_KEY' });
    await keyed.close();
  });

  test.each([
    ['Bearer sk-1', 'begins with "Bearer"'],
    ['"sk-1"', 'has quotation marks around the key'],
    ['sk-1 ', 'has blanks or line breaks around the key'],
  ])('says what else is in the variable of the key: %j', async (value, found) => {
    const keyed = await startChatCompat({ api_key_env: 'SOME_KEY' }, value);
    keyed.upstream.answer(json({}, { status: 401 }));
    const hint = `the value of SOME_KEY ${found}; only the key belongs there`;
    expect(await failureOf(keyed.chat())).toMatchObject({ code: 'auth', hint });
    await keyed.close();
  });

  test.each([
    [404, "model 'm' not found", 'model_unavailable'],
    [429, { code: 'insufficient_quota' }, 'usage_limit'],
    [400, { code: 'context_length_exceeded' }, 'context_overflow'],
    [403, { code: 'model_not_found' }, 'model_unavailable'],
    [402, { code: null }, 'billing'],
    [529, { code: null }, 'overloaded'],
    [503, { code: 'server_is_overloaded' }, 'overloaded'],
    [429, { code: 'rate_limit_exceeded' }, 'rate_limited'],
  ])('of status %i with the error %j is of the kind %s', async (status, error, kind) => {
    refuse(status, error);
    expect((await failureOf(harness().chat())).kind).toBe(kind);
  });

  test('of status 402 inside an answer of status 200 is one of the account', async () => {
    harness().upstream.answer(json({ error: { code: 402, message: 'Insufficient credits' } }));
    expect(await failureOf(harness().chat())).toMatchObject({ kind: 'billing', status: 402 });
  });
});

describe('check', () => {
  test.each<[string, Answer, object]>([
    ['counts the models', json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }), { detail: '2 models' }],
    ['reads a bare list', json([{ id: 'a' }]), { detail: '1 model' }],
    ['is content without a model list', raw(['nope'], { status: 404 }), { detail: 'reachable, offers no model list' }],
    ['warns of something else', raw(['nope']), { warnings: [expect.stringContaining('check base_url')] }],
  ])('%s', async (_, answer, result) => {
    harness().upstream.answer(answer);
    expect(await harness().check()).toEqual(result);
    expect(harness().upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
  });

  test.each([
    [
      json([{ id: 'a' }]),
      {
        warnings: [
          expect.stringMatching(
            /\/api\/v1\/models does not exist, .*:\d+\/v1\/models does: set base_url to .*:\d+\/v1$/,
          ),
        ],
      },
    ],
    [raw(['nope'], { status: 404 }), { detail: 'reachable, offers no model list' }],
    [raw(['nope'], { status: 500 }), { detail: 'reachable, offers no model list' }],
    [raw(['nope']), { detail: 'reachable, offers no model list' }],
  ])('looks for the list where nearly every server has it: %#', async (usual, result) => {
    const { upstream } = harness();
    const astray = await startChatCompat({ base_url: `${upstream.url}/api` });
    upstream.answer(raw(['nope'], { status: 404 }), usual);
    expect(await astray.check()).toEqual(result);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/api/v1/models', '/v1/models']);
    await astray.close();
  });

  test('names the address without its query, where proxies have keys', async () => {
    const { upstream } = harness();
    const behind = await startChatCompat({ base_url: `${upstream.url}?token=sesame` });
    upstream.answer(json({ ok: true }));
    expect(await behind.check()).toEqual({ warnings: [`${upstream.url}/v1/models is no model list: check base_url`] });
    expect(upstream.requests[0]?.path).toBe('/v1/models?token=sesame');
    await behind.close();
  });

  test.each(['<!DOCTYPE html><title>Sign in</title>', '\n<html lang="en"><body>Hello'])(
    'fails where base_url leads to a web page: %j',
    async (page) => {
      harness().upstream.answer(raw([page], { headers: { 'content-type': 'text/html' } }));
      expect(await failureOf(harness().check())).toMatchObject({
        code: 'protocol',
        message: expect.stringContaining('answered with HTML instead of JSON'),
        hint: 'check base_url: it leads to a web page',
      });
    },
  );

  test('fails with the status of a server that is broken', async () => {
    harness().upstream.answer(raw([''], { status: 500 }));
    expect((await failureOf(harness().check())).code).toBe('upstream');
  });
});

test('models gives the names, and the context windows by the names that servers have for them', async () => {
  const windows = [{ context_length: 1 }, { context_window: 2 }, { max_context_length: 3 }, { max_model_len: 4 }];
  const models = windows.map((window, index) => ({ id: `m${index}`, ...window }));
  harness().upstream.answer(json({ models: [{ name: 'a', context_length: null }, ...models, 7] }));
  const listed = windows.map((_, index) => ({ name: `m${index}`, contextWindow: index + 1 }));
  expect(await harness().driver.models?.(newCall())).toEqual([{ name: 'a' }, ...listed]);
});
