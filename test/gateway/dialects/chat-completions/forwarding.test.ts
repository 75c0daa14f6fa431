import type { RunningGateway } from '../../../setup/running-gateway';
import {
  type Answer,
  completion,
  DONE,
  delta,
  finish,
  json,
  sse,
  type Upstream,
  usageChunk,
} from '../../../setup/upstream';
import { useScripted, useUpstream } from '../../scripted-driver';
import { events, type Json } from '../../wire';

let gateway: RunningGateway;
let upstream: Upstream;
let streamed: Answer;
let single: Answer;

useUpstream((started) => {
  upstream = started;
  upstream.answer(({ method, body }) => (method === 'GET' ? json({ data: [] }) : body.stream ? streamed : single));
});
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
providers:
  - { name: real, driver: chat-compat, default_model: r, base_url: "${upstream.url}/v1" }
`,
  }),
);

beforeEach(() => {
  single = json(completion('Hello'));
  streamed = sse([delta({ role: 'assistant', content: '' }), delta('Hello'), finish(), DONE]);
});

/** Sends a request and returns what the backend was asked, and what came back. */
async function forward(body: Record<string, unknown>) {
  const response = await gateway.chat({ model: 'real', ...body });
  const received = await response.text();
  const sent = upstream.requests.findLast(({ method }) => method === 'POST')!;
  return { sent: sent.body as Json, status: response.status, received };
}

const answerOf = (received: string) => JSON.parse(received) as Json;

test('every field and message of a request, known or not, reaches the backend as it was', async () => {
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
  const fields = {
    messages,
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
  // Most servers do not know the role `developer`.
  const known = messages.map((message) => (message.role === 'developer' ? { ...message, role: 'system' } : message));
  expect(sent).toMatchObject({ ...fields, messages: known, model: 'r' });
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

test('a request can set neither the address nor a header nor the key', async () => {
  const path = upstream.requests.length;
  await forward({ base_url: 'http://127.0.0.1:1', api_key_env: 'HOME', headers: { 'x-evil': '1' }, command: 'x' });
  const request = upstream.requests[path]!;
  expect(request.path).toBe('/v1/chat/completions');
  expect(request.headers).not.toHaveProperty('x-evil');
  expect(request.headers).not.toHaveProperty('authorization');
});

test('a message with a call of the legacy kind keeps its null content', async () => {
  const call = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
  const { sent } = await forward({ messages: [{ role: 'user', content: 'Hi' }, call] });
  expect(sent.messages).toEqual([{ role: 'user', content: 'Hi' }, call]);
});
