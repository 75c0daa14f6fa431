import OpenAI from 'openai';
import { runCli } from '../../setup/run-cli';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { json, Upstream, type RecordedRequest } from '../../setup/upstream';
import { callBlock, message, refusal, stream, textBlock, thinkingBlock } from './wire';

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let client: OpenAI;

const THOUGHT = { type: 'thinking', thinking: 'I need the weather', signature: 'SIG' };

/** Plays the vendor: wants the key, lists models, calls a tool twice and wants its thinking back, refuses a temperature. */
function vendor({ method, headers, body }: RecordedRequest) {
  if (headers['x-api-key'] !== 'sk-right-key') return refusal('invalid x-api-key', 401, 'authentication_error');
  if (method === 'GET') return json({ data: [{ id: 'claude-x' }], has_more: false });
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

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(vendor);
  home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: anthropic, default_model: claude-x, base_url: ${upstream.url}, thinking_budget: 2048 }
  - { name: wrong, driver: eta, default_model: claude-y, base_url: ${upstream.url}, api_key_env: WRONG_KEY }
  - { name: keyless, driver: eta, default_model: claude-z, base_url: ${upstream.url}, api_key_env: NO_KEY }
`);
  const env = home.environment({
    ANTHROPIC_API_KEY: 'sk-right-key',
    WRONG_KEY: 'sk-wrong-key',
    ANTHROPIC_LOG: 'debug',
  });
  gateway = await RunningGateway.start([], { env });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'Weather?' };

async function firstMessage(streamed: boolean): Promise<OpenAI.ChatCompletionMessage> {
  const request = { model: 'main', messages: [question], tools };
  const { choices } = streamed
    ? await client.chat.completions.stream(request).finalChatCompletion()
    : await client.chat.completions.create(request);
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  return choices[0]!.message;
}

describe.each([false, true])('the official client, stream: %s', (streamed) => {
  test('has parallel tool calls answered, and the thinking goes back with them', async () => {
    const answer = await firstMessage(streamed);
    expect(answer).toMatchObject({
      thinking_blocks: [THOUGHT],
      tool_calls: ['c1', 'c2'].map((id) => ({ id, function: { name: 'weather', arguments: `{"in":"${id}"}` } })),
    });
    await expectAnswerTo(answer);
  });

  test('may drop the thinking', async () => {
    const { tool_calls } = await firstMessage(streamed);
    await expectAnswerTo({ role: 'assistant', content: null, tool_calls } as OpenAI.ChatCompletionMessage);
  });
});

async function expectAnswerTo(answer: OpenAI.ChatCompletionMessage): Promise<void> {
  const results = answer.tool_calls!.map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: `rain at ${id}`,
  }));
  const messages = [question, { ...answer, role: 'assistant' as const }, ...results];
  const final = await client.chat.completions.create({ model: 'main', messages, tools });
  expect(final.choices[0]?.message.content).toBe('c1: rain at c1, c2: rain at c2');
  expect(final.usage).toMatchObject({
    prompt_tokens: 125,
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 },
  });
}

test('a field that the vendor refuses is named in a header', async () => {
  for (const streamed of [false, true]) {
    const response = await gateway.chat({ model: 'main', temperature: 0.5, stream: streamed, seed: 1 });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-drivebay-ignored-params')).toBe('seed,temperature');
    expect(await response.text()).toContain('Hi');
  }
});

test('an image that cannot be sent is 400 and names its place', async () => {
  const content = [{ type: 'image_url', image_url: { url: 'file:///x.png' } }];
  const response = await gateway.chat({ model: 'main', messages: [{ role: 'user', content }] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'messages[0].content[0]' } });
});

test('a wrong key and a missing one are 502 with what to do, and never shown', async () => {
  const wrong = await (await gateway.chat({ model: 'wrong' })).text();
  expect(wrong).toContain('invalid x-api-key');
  expect(wrong).toContain('WRONG_KEY');
  const missing = await (await gateway.chat({ model: 'keyless' })).text();
  expect(missing).toContain('NO_KEY is not set');
  expect(wrong + missing + gateway.stdout + gateway.stderr).not.toMatch(/sk-(right|wrong)/);
});

test('the status tells a working key from a wrong and a missing one', async () => {
  const env = home.environment({ ANTHROPIC_API_KEY: 'sk-right-key', WRONG_KEY: 'sk-wrong-key' });
  const { stdout, stderr } = await runCli(['providers', 'status'], { env });
  expect(stdout).toMatch(/main +http +healthy +claude-x/);
  expect(stdout).toMatch(/wrong +http +offline/);
  expect(stderr).toMatch(/wrong.*invalid x-api-key.*WRONG_KEY/);
  expect(stderr).toMatch(/keyless.*NO_KEY is not set/);
});
