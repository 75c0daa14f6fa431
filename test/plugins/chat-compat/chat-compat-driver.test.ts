import { completion, delta, DONE, finish, json, raw, sse, type Answer } from '../../setup/upstream';
import { failureOf } from '../../http/open-pool';
import { Harness, newCall } from './harness';

let harness: Harness;

afterEach(() => harness.close());

describe('the key', () => {
  test('goes as a bearer token when the provider names a variable', async () => {
    harness = await Harness.start({ api_key_env: 'SOME_KEY' }, 'sk-1');
    harness.upstream.answer(json(completion('x')));
    await harness.chat();
    expect(harness.upstream.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1', 'content-type': 'application/json', accept: 'application/json' },
    });
  });

  test('is not sent when the provider names none', async () => {
    harness = await Harness.start({}, 'sk-1');
    harness.upstream.answer(json(completion('x')));
    await harness.chat();
    expect(harness.upstream.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('that is missing sends nothing', async () => {
    harness = await Harness.start({ api_key_env: 'SOME_KEY' });
    expect((await failureOf(harness.chat())).code).toBe('auth');
    expect((await failureOf(harness.driver.check(newCall()) as Promise<unknown>)).code).toBe('auth');
    expect(harness.upstream.requests).toHaveLength(0);
  });
});

describe('a server that does not know stream_options', () => {
  const refusal: Answer = json({ error: { message: "Unknown field 'stream_options'" } }, { status: 400 });

  test('is asked again without, and remembered', async () => {
    harness = await Harness.start();
    harness.upstream.answer(refusal, sse([delta('x'), finish(), DONE]));
    await harness.chat({ stream: true });
    await harness.chat({ stream: true });
    const asked = harness.upstream.requests.map((request) => 'stream_options' in (request.body as object));
    expect(asked).toEqual([true, false, false]);
  });

  test('is asked again once only', async () => {
    harness = await Harness.start();
    harness.upstream.answer(refusal);
    expect((await failureOf(harness.chat({ stream: true }))).code).toBe('rejected');
    expect(harness.upstream.requests).toHaveLength(2);
  });

  test('is not suspected for other refusals', async () => {
    harness = await Harness.start();
    harness.upstream.answer(json({ error: { message: 'bad temperature' } }, { status: 400 }));
    expect((await failureOf(harness.chat({ stream: true }))).code).toBe('rejected');
    expect(harness.upstream.requests).toHaveLength(1);
  });
});

describe('an error', () => {
  test.each([
    ['names the variable', { api_key_env: 'SOME_KEY' }, 401, { code: 'auth', hint: 'check the key in SOME_KEY' }],
    ['asks for a key', {}, 401, { code: 'auth', hint: expect.stringContaining('api_key_env') as string }],
    [
      'points at model and address',
      {},
      404,
      { code: 'rejected', hint: expect.stringContaining('"m" and base_url') as string },
    ],
    ['keeps the advice of the server', {}, 429, { code: 'rate_limited', retryAfterS: 3, hint: undefined }],
  ])('%s', async (_, options, status, expected) => {
    harness = await Harness.start(options, 'sk-1');
    harness.upstream.answer(json({ error: { message: 'no' } }, { status, headers: { 'retry-after': '3' } }));
    expect(await failureOf(harness.chat())).toMatchObject({ status, ...expected });
  });

  test('of an unknown model is told apart', async () => {
    harness = await Harness.start();
    harness.upstream.answer(json({ error: "model 'm' not found" }, { status: 404 }));
    expect((await failureOf(harness.chat())).kind).toBe('model_unavailable');
  });
});

describe('check', () => {
  test.each<[string, Answer, object]>([
    ['counts the models', json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }), { detail: '2 models' }],
    ['reads a bare list', json([{ id: 'a' }]), { detail: '1 model' }],
    ['is content without a model list', raw(['nope'], { status: 404 }), { detail: 'reachable, offers no model list' }],
    ['warns of something else', raw(['<html>']), { warnings: [expect.stringContaining('check base_url')] }],
  ])('%s', async (_, answer, result) => {
    harness = await Harness.start();
    harness.upstream.answer(answer);
    expect(await harness.driver.check(newCall())).toEqual(result);
    expect(harness.upstream.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
  });

  test.each([
    [401, 'auth'],
    [500, 'upstream'],
  ])('fails with status %i', async (status, code) => {
    harness = await Harness.start();
    harness.upstream.answer(raw([''], { status }));
    expect((await failureOf(harness.driver.check(newCall()) as Promise<unknown>)).code).toBe(code);
  });
});

test('models gives the names', async () => {
  harness = await Harness.start();
  harness.upstream.answer(json({ models: [{ name: 'a' }, { id: 'b' }, 7] }));
  expect(await harness.driver.models?.(newCall())).toEqual(['a', 'b']);
});
