import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, useScripted, stop, text } from '../../scripted-driver';
import { masked } from '../../wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

async function answer(script: Step[], fields: Record<string, unknown> = {}): Promise<string> {
  const response = await gateway.chat({ model: 'main', script, ...fields });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return masked(await response.text());
}

const usage: Step = { type: 'usage', inputTokens: 9, outputTokens: 2 };
const USAGE =
  '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,' +
  '"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}';
/** A message as a choice, with the fields that every message has. */
const choice =
  (content: string, more = '', reason = 'stop', logprobs = 'null') =>
  (index: number) =>
    `{"index":${index},"message":{"role":"assistant","content":${content}${more}},"logprobs":${logprobs},"finish_reason":"${reason}"}`;
const REFUSAL = ',"refusal":null';
const call = (id: string, name: string, args: string) =>
  `{"id":"${id}","type":"function","function":{"name":"${name}","arguments":"${args}"}}`;

test.each<[string, Step[], ReturnType<typeof choice>[], further?: string, n?: number]>([
  ['a text', [text('Hel'), text('lo'), usage, stop], [choice('"Hello"', REFUSAL)]],
  [
    'tool calls, with content null and arguments in one text',
    [
      { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '{"a":' },
      { type: 'tool_call', index: 1, name: 'g', arguments: '{}' },
      { type: 'tool_call', index: 0, arguments: '1}' },
      usage,
      { type: 'finish', reason: 'tool_calls' },
    ],
    [
      choice(
        'null',
        `${REFUSAL},"tool_calls":[${call('call_a', 'f', '{\\"a\\":1}')},${call('call_0_1', 'g', '{}')}]`,
        'tool_calls',
      ),
    ],
  ],
  [
    'reasoning, refusals, log probabilities and fields of the answer that Drivebay does not know',
    [
      { type: 'extra', response: { system_fingerprint: 'fp' } },
      { type: 'extra', response: { system_fingerprint: 'fp' } },
      { type: 'reasoning', text: 'thi' },
      { type: 'reasoning', text: 'nk' },
      { type: 'extra', delta: { refusal: 'I ' }, choiceFields: { logprobs: { content: [1] } } },
      { type: 'extra', delta: { refusal: 'will not' }, choiceFields: { logprobs: { content: [2] } } },
      usage,
      stop,
    ],
    [choice('""', ',"refusal":"I will not","reasoning_content":"think"', 'stop', '{"content":[1,2]}')],
    ',"system_fingerprint":"fp"',
  ],
  [
    'choices in the order of their index',
    [
      { type: 'text', text: 'B', choice: 1 },
      { type: 'text', text: 'A', choice: 0 },
      { type: 'finish', reason: 'length', choice: 1 },
      usage,
      { type: 'finish', reason: 'stop', choice: 0 },
    ],
    [choice('"A"', REFUSAL), choice('"B"', REFUSAL, 'length')],
    '',
    2,
  ],
])('%s, byte for byte', async (_, script, choices, further = '', n = 1) => {
  const all = choices.map((make, index) => make(index)).join(',');
  expect(await answer(script, { n })).toBe(
    `{"id":"chatcmpl-0","object":"chat.completion","created":0,"model":"main","choices":[${all}],${USAGE}${further}}`,
  );
});

test('created is the time of the request, in seconds', async () => {
  const before = Math.floor(Date.now() / 1000);
  const { created } = (await (await gateway.chat({ model: 'main' })).json()) as { created: number };
  expect(created).toBeGreaterThanOrEqual(before);
  expect(created).toBeLessThanOrEqual(Date.now() / 1000);
});

test.each(['stop', 'length', 'content_filter', 'tool_calls'])('the finish reason %s is passed on', async (reason) => {
  expect(await answer([text('x'), { type: 'finish', reason }])).toContain(`"finish_reason":"${reason}"`);
});

test('what the backend counted besides is part of the usage', async () => {
  const noText = { audioInputTokens: 1, audioOutputTokens: 3, imageOutputTokens: 4 };
  const cache = { cachedInputTokens: 5, cacheWriteInputTokens: 2 };
  const counted = { ...usage, ...cache, ...noText, costUsd: 0.25, extra: { audio: 1 } };
  expect(JSON.parse(await answer([text('x'), counted, stop]))).toMatchObject({
    usage: {
      prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2, audio_tokens: 1 },
      completion_tokens_details: { audio_tokens: 3, image_tokens: 4 },
      ...{ cost: 0.25, audio: 1 },
    },
  });
});

test('estimates of a backend become whole numbers, because typed clients fail on fractions', async () => {
  const counts = { inputTokens: 9.6, outputTokens: 2.4, cachedInputTokens: 0.5, reasoningTokens: 1.5 };
  expect(JSON.parse(await answer([text('x'), { type: 'usage', ...counts }, stop]))).toMatchObject({
    usage: {
      ...{ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
      prompt_tokens_details: { cached_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  });
});
