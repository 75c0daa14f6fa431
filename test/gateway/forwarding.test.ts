import type { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { type Answer, completion, DONE, delta, finish, json, sse, Upstream, usageChunk } from '../setup/upstream';
import { startScripted } from './scripted-driver';
import { errorOf, events, type Json } from './wire';

const home = new TempHome();
let gateway: RunningGateway;
let upstream: Upstream;
let streamed: Answer;
let single: Answer;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ method, body }) => (method === 'GET' ? json({ data: [] }) : body.stream ? streamed : single));
  gateway = await startScripted(home, {
    yaml: `version: "1"
providers:
  - { name: real, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1" }
  - { name: tuned, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1", max_tokens: 77, reasoning_effort: low }
  - { name: thinking, driver: chat-compat, default_model: r, base_url: "${upstream.url}", thinking_budget: 2048, timeout_sec: 1 }
`,
  });
});

beforeEach(() => {
  single = json(completion('Hello'));
  streamed = sse([delta({ role: 'assistant', content: '' }), delta('Hello'), finish(), DONE]);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

/** Sends a request and returns what the backend was asked, and what came back. */
async function forward(body: Record<string, unknown>) {
  const response = await gateway.chat({ model: 'real', ...body });
  const received = await response.text();
  const sent = upstream.requests.findLast(({ method }) => method === 'POST')!;
  return { sent: sent.body as Json, status: response.status, received };
}

const answerOf = (received: string) => JSON.parse(received) as Json;

test('every field of a chat request, known or not, reaches the backend as it was', async () => {
  const fields = {
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END', 'FIN'],
    seed: 7,
    logprobs: true,
    top_logprobs: 3,
    presence_penalty: 0.1,
    frequency_penalty: -0.1,
    logit_bias: { '50256': -100 },
    user: 'ann',
    metadata: { a: 'b' },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
    reasoning_effort: 'Extreme',
    thinking: { type: 'enabled', budget_tokens: 5 },
    top_k: 40,
    chat_template_kwargs: { enable_thinking: false },
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
      { type: 'web_search', filters: { x: [1] } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
  };
  const { sent, status } = await forward(fields);
  expect(status).toBe(200);
  expect(sent).toMatchObject({ ...fields, model: 'r' });
});

test('messages of every kind reach the backend as they were', async () => {
  const messages = [
    { role: 'system', content: 'S1' },
    { role: 'developer', content: 'D' },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        { type: 'file', file: { file_id: 'f-1' } },
        { type: 'video_url', video_url: { url: 'http://x/y' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '42' },
    { role: 'system', content: 'S2' },
  ];
  const { sent } = await forward({ messages });
  // Most servers do not know the role `developer`.
  const known = messages.map((message) => (message.role === 'developer' ? { ...message, role: 'system' } : message));
  expect(sent.messages).toMatchObject(known);
});

test('a whole answer comes back: text, tool calls, reasoning, usage, unknown fields', async () => {
  const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }];
  const message = { role: 'assistant', content: 'Hi', reasoning_content: 'hm', tool_calls: calls, annotations: [1] };
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  single = json(completion(message, { usage, system_fingerprint: 'fp' }));
  const { received, sent } = await forward({});
  expect(sent.stream ?? false).toBe(false);
  expect(answerOf(received)).toMatchObject({
    model: 'real',
    system_fingerprint: 'fp',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage,
  });
});

test('tool-call deltas, reasoning, usage and unknown fields come back in a stream', async () => {
  streamed = sse(
    [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm' }),
      delta({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } }] }),
      delta({ annotations: [1] }),
      finish('tool_calls'),
      usageChunk(10, 5),
      DONE,
    ],
    { split: 7 },
  );
  const { received } = await forward({ stream: true, stream_options: { include_usage: true } });
  const chunks = events(received);
  const deltas = chunks.flatMap(({ choices }) => choices.map((choice: Json) => choice.delta));
  const calls = deltas.flatMap((each) => each.tool_calls ?? []);
  expect(deltas.map((each) => each.reasoning_content ?? '').join('')).toBe('hm');
  expect(
    calls
      .filter(({ index }) => index === 0)
      .map((call) => call.function.arguments)
      .join(''),
  ).toBe('{"a":1}');
  expect(calls.filter(({ id }) => id).map(({ id, index }) => [id, index])).toEqual([
    ['c1', 0],
    ['c2', 1],
  ]);
  expect(deltas.flatMap((each) => each.annotations ?? [])).toEqual([1]);
  expect(chunks.at(-2)?.choices[0].finish_reason).toBe('tool_calls');
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
});

test('several choices come back, whole and in a stream', async () => {
  const choice = (index: number) => ({
    index,
    message: { role: 'assistant', content: `c${index}` },
    finish_reason: 'stop',
  });
  single = json(completion('', { choices: [choice(0), choice(1)] }));
  const whole = await forward({ n: 2 });
  expect(whole.sent.n).toBe(2);
  expect(answerOf(whole.received).choices.map((each: Json) => each.message.content)).toEqual(['c0', 'c1']);

  const piece = (index: number, fields: object) => ({
    choices: [{ index, delta: {}, finish_reason: null, ...fields }],
  });
  streamed = sse([
    piece(0, { delta: { content: 'a' } }),
    piece(1, { delta: { content: 'b' } }),
    piece(0, { finish_reason: 'stop' }),
    piece(1, { finish_reason: 'length' }),
    DONE,
  ]);
  const inPieces = await forward({ n: 2, stream: true });
  const last = events(inPieces.received)
    .slice(-2)
    .flatMap(({ choices }) => choices);
  expect(last.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
    [0, 'stop'],
    [1, 'length'],
  ]);
});

test('the settings of the provider fill what the request leaves open, and no more', async () => {
  const plain = await forward({ model: 'tuned' });
  expect(plain.sent).toMatchObject({ max_tokens: 77, reasoning_effort: 'low' });
  const own = await forward({ model: 'tuned', max_tokens: 5, reasoning_effort: 'high' });
  expect(own.sent).toMatchObject({ max_tokens: 5, reasoning_effort: 'high' });
  expect((await forward({ model: 'real' })).sent).not.toHaveProperty('max_tokens');
});

test('a request can set neither the address nor a header nor the key', async () => {
  const path = upstream.requests.length;
  await forward({ base_url: 'http://127.0.0.1:1', api_key_env: 'HOME', headers: { 'x-evil': '1' }, command: 'x' });
  const request = upstream.requests[path]!;
  expect(request.path).toBe('/v1/chat/completions');
  expect(request.headers).not.toHaveProperty('x-evil');
  expect(request.headers).not.toHaveProperty('authorization');
});

test('an error of the backend keeps its message and Retry-After, as a 502', async () => {
  single = json({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '7' } });
  const response = await gateway.chat({ model: 'real' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([502, '7']);
  expect(errorOf(await response.text())).toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('slow down'),
    details: { upstream_status: 429, retry_after_s: 7 },
  });
});

test('the text of a model passes untouched, at any split of its bytes', async () => {
  const text = 'é\u2028\u0000\ud83d\ude00 data: [DONE]\n\n"quoted"';
  for (const split of [1, 2, 3]) {
    streamed = sse([delta(text), finish(), DONE], { split });
    const { received } = await forward({ stream: true });
    const back = events(received)
      .map(({ choices }) => choices[0].delta.content ?? '')
      .join('');
    expect(back).toBe(text);
  }
});

test('the thinking budget of a provider reaches the backend, and one of 0 does not', async () => {
  expect((await forward({ model: 'thinking' })).sent).toMatchObject({
    thinking: { type: 'enabled', budget_tokens: 2048 },
  });
  expect((await forward({ model: 'real' })).sent).not.toHaveProperty('thinking');
});

test.each([true, false])('a backend whose head is slower than timeout_sec is a 504 (stream: %s)', async (stream) => {
  single = { ...single, headDelayMs: 5_000 };
  streamed = { ...streamed, headDelayMs: 5_000 };
  const { status, received } = await forward({ model: 'thinking', stream });
  expect(status).toBe(504);
  expect(errorOf(received)).toMatchObject({ code: 'timeout', details: { provider: 'thinking' } });
});

test('a line of a megabyte comes through a stream whole, in pieces', async () => {
  const long = 'é'.repeat(512 * 1024);
  streamed = sse([delta(long), finish(), DONE], { split: 60_000 });
  const { received } = await forward({ stream: true });
  const pieces = events(received).map(({ choices }) => String((choices as Json[])[0]?.delta.content ?? ''));
  // Not by toBe, which would print a megabyte.
  expect(pieces.join('') === long).toBe(true);
});

test.each([false, true])('n: 0 is for the backend to judge (stream: %p)', async (stream) => {
  const { sent, status, received } = await forward({ n: 0, stream });
  expect(sent.n).toBe(0);
  expect(status).toBe(200);
  expect(received).toContain('Hello');
});

test('a message with a call of the legacy kind keeps its null content', async () => {
  const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
  const { sent } = await forward({ messages: [{ role: 'user', content: 'Hi' }, call] });
  expect(sent.messages).toEqual([{ role: 'user', content: 'Hi' }, call]);
});
