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
const body = (choices: string, head = '') =>
  `{${head}"id":"chatcmpl-0","object":"chat.completion","created":0,"model":"main","choices":[${choices}],${USAGE}}`;

test('a text, byte for byte', async () => {
  expect(await answer([text('Hel'), text('lo'), usage, stop])).toBe(
    body(
      '{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"stop"}',
    ),
  );
});

test('created is the time of the request, in seconds', async () => {
  const before = Math.floor(Date.now() / 1000);
  const { created } = (await (await gateway.chat({ model: 'main' })).json()) as { created: number };
  expect(created).toBeGreaterThanOrEqual(before);
  expect(created).toBeLessThanOrEqual(Date.now() / 1000);
});

test('tool calls, with content null and arguments in one text', async () => {
  const script = [
    { type: 'tool_call', index: 0, id: 'call_a', name: 'f', arguments: '{"a":' },
    { type: 'tool_call', index: 1, id: 'call_b', name: 'g', arguments: '{}' },
    { type: 'tool_call', index: 0, arguments: '1}' },
    usage,
    { type: 'finish', reason: 'tool_calls' },
  ];
  const call = (id: string, name: string, args: string) =>
    `{"id":"${id}","type":"function","function":{"name":"${name}","arguments":"${args}"}}`;
  expect(await answer(script)).toBe(
    body(
      '{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[' +
        `${call('call_a', 'f', '{\\"a\\":1}')},${call('call_b', 'g', '{}')}]},"logprobs":null,"finish_reason":"tool_calls"}`,
    ),
  );
});

test('a tool call without an id gets one, as in a stream', async () => {
  const script = [{ type: 'tool_call', index: 0, name: 'f', arguments: '{}' }, usage, stop];
  expect(await answer(script)).toContain('"tool_calls":[{"id":"call_0_0","type":"function"');
});

test('reasoning, refusals, log probabilities and fields of the answer that Drivebay does not know', async () => {
  const script = [
    { type: 'extra', response: { system_fingerprint: 'fp' } },
    { type: 'reasoning', text: 'thi' },
    { type: 'reasoning', text: 'nk' },
    { type: 'extra', delta: { refusal: 'I ' }, choiceFields: { logprobs: { content: [1] } } },
    { type: 'extra', delta: { refusal: 'will not' }, choiceFields: { logprobs: { content: [2] } } },
    usage,
    stop,
  ];
  expect(await answer(script)).toBe(
    body(
      '{"index":0,"message":{"role":"assistant","content":"","refusal":"I will not","reasoning_content":"think"},' +
        '"logprobs":{"content":[1,2]},"finish_reason":"stop"}',
      '"system_fingerprint":"fp",',
    ),
  );
});

test('choices are in the order of their index', async () => {
  const script = [
    { type: 'text', text: 'B', choice: 1 },
    { type: 'text', text: 'A', choice: 0 },
    { type: 'finish', reason: 'length', choice: 1 },
    usage,
    { type: 'finish', reason: 'stop', choice: 0 },
  ];
  const choice = (index: number, content: string, reason: string) =>
    `{"index":${index},"message":{"role":"assistant","content":"${content}","refusal":null},"logprobs":null,"finish_reason":"${reason}"}`;
  expect(await answer(script, { n: 2 })).toBe(body(`${choice(0, 'A', 'stop')},${choice(1, 'B', 'length')}`));
});

test.each(['stop', 'length', 'content_filter', 'tool_calls'])('the finish reason %s is passed on', async (reason) => {
  expect(await answer([text('x'), { type: 'finish', reason }])).toContain(`"finish_reason":"${reason}"`);
});

test('what the backend counted besides is part of the usage', async () => {
  const counted = { ...usage, cachedInputTokens: 5, cacheWriteInputTokens: 2, costUsd: 0.25, extra: { audio: 1 } };
  expect(JSON.parse(await answer([text('x'), counted, stop]))).toMatchObject({
    usage: { prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 }, cost: 0.25, audio: 1 },
  });
});

test('fields of the whole answer are replaced, not appended', async () => {
  const tier = { type: 'extra', response: { service_tier: 'default' } };
  expect(JSON.parse(await answer([tier, tier, text('x'), stop]))).toMatchObject({ service_tier: 'default' });
});
