import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, useScripted, stop, text } from '../../scripted-driver';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

/** A model whose n-th request carries the n-th script. */
function model(...scripts: Step[][]) {
  let next = 0;
  const provider = createOpenAICompatible({
    name: 'drivebay',
    baseURL: `${gateway.url}/v1`,
    includeUsage: true,
    fetch: (url, init) => {
      const body = JSON.parse(init?.body as string) as Record<string, unknown>;
      const script = scripts[Math.min(next++, scripts.length - 1)];
      return fetch(url, { ...init, body: JSON.stringify({ ...body, script }) });
    },
  });
  return provider('main');
}

const usage: Step = { type: 'usage', inputTokens: 5, outputTokens: 6 };

test('streamText, with reasoning and usage', async () => {
  const script = [{ type: 'reasoning', text: 'hm' }, text('Hel'), text('lo'), usage, stop];
  const answer = streamText({ model: model(script), prompt: 'Hi' });
  const pieces: string[] = [];
  for await (const piece of answer.textStream) pieces.push(piece);
  expect(pieces).toEqual(['Hel', 'lo']);
  expect(await answer.reasoningText).toBe('hm');
  expect(await answer.usage).toMatchObject({ inputTokens: 5, outputTokens: 6 });
});

test('a tool call round trip', async () => {
  const call = { type: 'tool_call', index: 0, id: 'call_a', name: 'add', arguments: '{"a":1,' };
  const rest = { type: 'tool_call', index: 0, arguments: '"b":2}' };
  const seen: unknown[] = [];
  const answer = streamText({
    model: model([call, rest, usage, { type: 'finish', reason: 'tool_calls' }], [{ echo: 'request' }, stop]),
    prompt: 'What is 1 + 2?',
    stopWhen: stepCountIs(3),
    tools: {
      add: tool({
        inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: {} }),
        execute: (input: { a: number; b: number }) => {
          seen.push(input);
          return input.a + input.b;
        },
      }),
    },
  });
  const second = JSON.parse(await answer.text) as { messages: { role: string; parts: unknown[] }[]; tools: unknown[] };
  expect(seen).toEqual([{ a: 1, b: 2 }]);
  expect(second.tools).toMatchObject([{ name: 'add' }]);
  expect(second.messages.slice(1)).toMatchObject([
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_a', name: 'add', arguments: '{"a":1,"b":2}' }] },
    { role: 'tool', parts: [{ type: 'tool_result', callId: 'call_a', content: [{ type: 'text', text: '3' }] }] },
  ]);
});

test('an error carries the message, the status and the body', async () => {
  const work = generateText({ model: model([{ fail: ['rejected', 'no such model'] }]), prompt: 'Hi', maxRetries: 0 });
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(APICallError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ statusCode: 502, message: expect.stringContaining('no such model') });
});

test('an error in the middle of a stream is an error part', async () => {
  const script = [text('Hel'), { fail: ['upstream', 'it broke'] }];
  const answer = streamText({ model: model(script), prompt: 'Hi', onError: () => undefined });
  const parts = [];
  for await (const part of answer.fullStream) parts.push(part);
  expect(parts.find(({ type }) => type === 'error')).toBeDefined();
});
