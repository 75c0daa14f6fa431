import OpenAI from 'openai';
import { runCli } from '../../setup/run-cli';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { completion, delta, DONE, finish, json, sse, Upstream, usageChunk, type RecordedRequest } from '../../setup/upstream'; // prettier-ignore

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let client: OpenAI;

/** Plays the vendor: wants the key, lists models, calls a tool once, refuses a temperature. */
function vendor({ method, headers, body }: RecordedRequest) {
  if (headers.authorization !== 'Bearer sk-right-key') {
    return json({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, { status: 401 });
  }
  if (method === 'GET') return json({ object: 'list', data: [{ id: 'gpt-x' }] });
  if (body.temperature !== undefined) {
    const error = { message: "Unsupported value: 'temperature'", param: 'temperature', code: 'unsupported_value' };
    return json({ error }, { status: 400 });
  }
  const results = body.messages.filter(({ role }: { role: string }) => role === 'tool');
  const calls = ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'weather', arguments: `{"in":"${id}"}` } })); // prettier-ignore
  if (body.tools && results.length === 0) {
    if (!body.stream) {
      const message = { role: 'assistant', content: null, tool_calls: calls };
      return json(completion(message, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    }
    const pieces = calls.map((call, index) => delta({ tool_calls: [{ index, ...call }] }));
    return sse([...pieces, finish('tool_calls'), usageChunk(7, 3), DONE]);
  }
  const text = results.map(({ tool_call_id: id, content }: Record<string, string>) => `${id}: ${content}`).join(', ');
  return body.stream ? sse([delta(text || 'Hi'), finish(), usageChunk(7, 3), DONE]) : json(completion(text || 'Hi'));
}

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(vendor);
  home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: openai, default_model: gpt-x, base_url: ${upstream.url} }
  - { name: wrong, driver: epsilon, default_model: gpt-y, base_url: ${upstream.url}, api_key_env: WRONG_KEY }
  - { name: keyless, driver: epsilon, default_model: gpt-z, base_url: ${upstream.url}, api_key_env: NO_KEY }
`);
  const env = home.environment({ OPENAI_API_KEY: 'sk-right-key', WRONG_KEY: 'sk-wrong-key', OPENAI_LOG: 'debug' });
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

test('the official client has parallel tool calls answered, single-shot', async () => {
  const { choices } = await client.chat.completions.create({ model: 'main', messages: [question], tools });
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  await expectAnswerTo(choices[0]!.message);
});

test('the official client has parallel tool calls answered, streamed', async () => {
  const stream = client.chat.completions.stream({ model: 'main', messages: [question], tools });
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  await expectAnswerTo(choices[0]!.message);
});

async function expectAnswerTo(message: OpenAI.ChatCompletionMessage): Promise<void> {
  const calls = message.tool_calls ?? [];
  expect(calls).toMatchObject(['c1', 'c2'].map((id) => ({ id, function: { name: 'weather', arguments: `{"in":"${id}"}` } }))); // prettier-ignore
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: `rain at ${id}` }));
  const messages = [question, { ...message, role: 'assistant' as const }, ...results];
  const final = await client.chat.completions.create({ model: 'main', messages, tools });
  expect(final.choices[0]?.message.content).toBe('c1: rain at c1, c2: rain at c2');
}

test('a field that the vendor refuses is named in a header', async () => {
  for (const stream of [false, true]) {
    const response = await gateway.chat({ model: 'main', temperature: 0.5, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-drivebay-ignored-params')).toBe('temperature');
    expect(await response.text()).toContain('Hi');
  }
});

test('a wrong key and a missing one are 502 with what to do, and never shown', async () => {
  const wrong = await (await gateway.chat({ model: 'wrong' })).text();
  expect(wrong).toContain('Incorrect API key provided');
  expect(wrong).toContain('WRONG_KEY');
  const missing = await (await gateway.chat({ model: 'keyless' })).text();
  expect(missing).toContain('NO_KEY is not set');
  expect(wrong + missing + gateway.stdout + gateway.stderr).not.toMatch(/sk-(right|wrong)/);
});

test('the status tells a working key from a wrong and a missing one', async () => {
  const env = home.environment({ OPENAI_API_KEY: 'sk-right-key', WRONG_KEY: 'sk-wrong-key' });
  const { stdout, stderr } = await runCli(['providers', 'status'], { env });
  expect(stdout).toMatch(/main +http +healthy +gpt-x/);
  expect(stdout).toMatch(/wrong +http +offline/);
  expect(stderr).toMatch(/wrong.*Incorrect API key provided.*WRONG_KEY/);
  expect(stderr).toMatch(/keyless.*NO_KEY is not set/);
});
