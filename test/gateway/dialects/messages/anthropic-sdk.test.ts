import Anthropic from '@anthropic-ai/sdk';
import type { RunningGateway } from '../../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../../scripted-driver';
import { piece, thought } from './message-wire';

let gateway: RunningGateway;
let client: Anthropic;
useScripted((started) => {
  gateway = started;
  client = new Anthropic({ baseURL: gateway.url, apiKey: 'unused', maxRetries: 0 });
});

const request = (script: Step[]) => ({
  model: 'main',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
  script,
});
const usage: Step = { type: 'usage', inputTokens: 10, outputTokens: 4, cachedInputTokens: 6 };

test.each<[string, Step[]]>([
  ['text', [text('Hi'), text(' you'), usage, stop]],
  ['reasoning', [thought('Well.', { s: 1 }), text('Hi'), usage, stop]],
  [
    'calls',
    [
      text('a'),
      piece(0, '{"x":', { id: 'c', name: 'f' }),
      piece(0, '1}'),
      piece(1, '{}', { id: 'd', name: 'g' }),
      usage,
      { type: 'finish', reason: 'tool_calls' },
    ],
  ],
  ['an answer at its limit', [text('Hi'), usage, { type: 'finish', reason: 'length' }]],
])('%s: each way to ask gives the same message', async (_name, script) => {
  const whole = await client.messages.create(request(script));
  const streamed = await client.messages.stream(request(script)).finalMessage();
  const { id: _whole, ...expected } = JSON.parse(JSON.stringify(whole)) as Anthropic.Message;
  const { id: _streamed, ...found } = JSON.parse(JSON.stringify(streamed)) as Anthropic.Message;
  expect(found).toMatchObject({ ...expected, content: expected.content });
  expect(whole.usage).toMatchObject({ input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 4 });
  let joined = '';
  for await (const event of await client.messages.create({ ...request(script), stream: true })) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') joined += event.delta.text;
  }
  const texts = whole.content.map((block) => (block.type === 'text' ? block.text : ''));
  expect(joined).toBe(texts.join(''));
});

test('a conversation goes on with its own answers', async () => {
  const script = [thought('a', { s: 1 }), piece(0, '{}', { id: 'c', name: 'f', extra: { t: 2 } }), stop];
  const { content } = await client.messages.create(request(script));
  const call = content.find((block) => block.type === 'tool_use')!;
  const answer = await client.messages.create({
    ...request([{ echo: 'request' }, stop]),
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'r' }] },
    ],
  });
  const [said] = answer.content;
  const { messages } = JSON.parse(said?.type === 'text' ? said.text : '') as { messages: { parts: unknown }[] };
  expect(messages[1]?.parts).toMatchObject([{ extra: { s: 1 } }, { id: 'c', extra: { t: 2 } }]);
});

test('a client that leaves its conversation with the server is told to send it whole', async () => {
  const asked = { model: 'main', max_tokens: 100, script: [{ echo: 'request' }, stop] };
  const thread = client.beta.messages.thread({ ...asked, unsupportedRequestBehavior: 'continue_unthreaded' });
  for (const content of ['One', 'Two']) await thread.send({ role: 'user', content });
  const said = thread.messages.at(-1)!.content as { text: string }[];
  const { messages } = JSON.parse(said[0]!.text) as { messages: { role: string }[] };
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);

  const goingOn = { type: 'continue' as const, previous_message_id: 'msg_1' };
  const refused = client.beta.messages.create({ ...request([stop]), thread: goingOn });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    error: { error: { param: 'thread', details: { error_code: 'thread_unsupported_request' } } },
  });
});

test('failures are the classes of the SDK, with the id of the request', async () => {
  const failing = client.messages.create(request([{ fail: ['rate_limited', 'slow down', { retryAfterS: 3 }] }]));
  const error = await failing.catch((each: unknown) => each);
  expect(error).toBeInstanceOf(Anthropic.RateLimitError);
  expect(error).toMatchObject({ status: 429, requestID: expect.stringMatching(/^req_/) });
  const broken = client.messages.stream(request([text('Hi'), { fail: ['upstream', 'it broke'] }]));
  await expect(broken.finalMessage()).rejects.toThrow(/it broke/);
});

test('models and counts', async () => {
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids).toEqual(expect.arrayContaining(['main', 'claude/main']));
  const { input_tokens: tokens } = await client.messages.countTokens(request([]));
  expect(tokens).toBe(5);
});
