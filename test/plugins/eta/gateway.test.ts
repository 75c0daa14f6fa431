import type OpenAI from 'openai';
import { json, type RecordedRequest } from '../../setup/upstream';
import { RIGHT_KEY, useVendor } from '../vendor-gateway';
import { callBlock, message, refusal, stream, textBlock, thinkingBlock } from './wire';

const THOUGHT = { type: 'thinking', thinking: 'I need the weather', signature: 'SIG' };

/** Plays the vendor: wants the key, lists models, calls a tool twice and wants its thinking back, refuses a temperature. */
function vendor({ method, headers, body }: RecordedRequest) {
  if (headers['x-api-key'] !== RIGHT_KEY) return refusal('invalid x-api-key', 401, 'authentication_error');
  if (method === 'GET') return json({ data: [{ id: 'm' }], has_more: false });
  if (body.temperature !== undefined) return refusal('temperature: Extra inputs are not permitted');
  const results = body.messages.at(-1).content.filter(({ type }: { type: string }) => type === 'tool_result');
  if (body.tools && results.length === 0) {
    const calls = ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'weather', input: { in: id } }));
    if (!body.stream) return json(message([THOUGHT, ...calls], { stop_reason: 'tool_use' }));
    const blocks = calls.flatMap(({ id, name, input }, index) => callBlock(index + 1, id, name, JSON.stringify(input)));
    return stream([...thinkingBlock(0, 'SIG', 'I need ', 'the weather'), ...blocks], 'tool_use');
  }
  if (results.length > 0 && JSON.stringify(body.messages.at(-2).content[0]) !== JSON.stringify(THOUGHT)) {
    return refusal('messages.1.content.0.type: Expected `thinking`, but found something else', 422);
  }
  const text = results.map(({ tool_use_id: id, content }: Record<string, string>) => `${id}: ${content}`).join(', ');
  return body.stream ? stream(textBlock(0, text || 'Hi')) : json(message(text || 'Hi'));
}

const vendorGateway = useVendor({
  ...{ driver: 'eta', alias: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' },
  ...{ options: 'thinking_budget: 2048', environment: { ANTHROPIC_LOG: 'debug' } },
  ...{ answer: vendor, refusesKey: 'invalid x-api-key' },
});

describe.each([false, true])('the official client, stream: %s', (streamed) => {
  test('has parallel tool calls answered, and the thinking goes back with them', async () => {
    const answer = await vendorGateway().calls(streamed);
    expect(answer).toMatchObject({
      thinking_blocks: [THOUGHT],
      tool_calls: ['c1', 'c2'].map((id) => ({ id, function: { name: 'weather', arguments: `{"in":"${id}"}` } })),
    });
    await expectAnswerTo(answer);
  });

  test('may drop the thinking', async () => {
    const { tool_calls } = await vendorGateway().calls(streamed);
    await expectAnswerTo({ role: 'assistant', content: null, tool_calls } as OpenAI.ChatCompletionMessage);
  });
});

async function expectAnswerTo(answer: OpenAI.ChatCompletionMessage): Promise<void> {
  const results = answer.tool_calls!.map(({ id }) => ({ id, content: `rain at ${id}` }));
  const { choices, usage } = await vendorGateway().answerTo(answer, results);
  expect(choices[0]?.message.content).toBe('c1: rain at c1, c2: rain at c2');
  expect(usage).toMatchObject({
    prompt_tokens: 125,
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 },
  });
}

test('a field that it never takes is named beside one that this model refuses', async () => {
  const response = await vendorGateway().gateway.chat({ model: 'main', temperature: 0.5, seed: 1 });
  expect(response.headers.get('x-drivebay-ignored-params')).toBe('seed,temperature');
});
