import OpenAI from 'openai';
import { runCli } from '../../setup/run-cli';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { json, sse, Upstream, type RecordedRequest } from '../../setup/upstream';
import { answer, end, refusal } from './harness';

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let client: OpenAI;

interface NativePart {
  thoughtSignature?: string;
  functionCall?: { name: string };
  functionResponse?: { name: string; response: { output: string } };
}

/** Plays the vendor: wants the key and its signature back, calls two tools at once, refuses a temperature. */
function vendor({ method, path, headers, body }: RecordedRequest) {
  if (headers['x-goog-api-key'] !== 'the-right-key') {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    return json(refusal(400, 'API key not valid. Please pass a valid API key.', details), { status: 400 });
  }
  if (method === 'GET') return json({ models: [{ name: 'models/gemini-x' }] });
  if (body.generationConfig.temperature !== undefined) {
    return json(refusal(400, 'Temperature is not supported for this model.'), { status: 400 });
  }
  const streams = path.includes(':streamGenerateContent?alt=sse');
  const parts = (body.contents as { parts: NativePart[] }[]).flatMap((content) => content.parts);
  const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (body.tools && results.length === 0) {
    const calls = ['c1', 'c2'].map((of) => ({ functionCall: { name: 'weather', args: { of } } }));
    const signed = [{ ...calls[0], thoughtSignature: 'c2lnbmVk' }, calls[1]!];
    return streams ? sse([answer([signed[0]!]), end([signed[1]!])]) : json(end(signed));
  }
  const call = parts.find(({ functionCall }) => functionCall);
  if (call && call.thoughtSignature !== 'c2lnbmVk') {
    return json(refusal(400, 'Thought signature is not valid.'), { status: 400 });
  }
  const text = results.map(({ name, response }) => `${name}: ${response.output}`).join(', ') || 'Hi';
  return streams ? sse([answer(text), end()]) : json(end(text));
}

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(vendor);
  home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: gemini, default_model: gemini-x, base_url: ${upstream.url} }
  - { name: wrong, driver: zeta, default_model: gemini-y, base_url: ${upstream.url}, api_key_env: WRONG_KEY }
  - { name: keyless, driver: zeta, default_model: gemini-z, base_url: ${upstream.url}, api_key_env: NO_KEY }
`);
  const env = home.environment({
    ...{ GEMINI_API_KEY: 'the-right-key', WRONG_KEY: 'the-wrong-key', GOOGLE_API_KEY: 'the-other-key' },
    ...{ GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' },
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

/** Without any retry: the client echoes the signature in a field that it does not know. */
async function expectAnswerTo(message: OpenAI.ChatCompletionMessage): Promise<void> {
  const calls = message.tool_calls ?? [];
  expect(calls).toMatchObject(['c1', 'c2'].map((of) => ({ function: { name: 'weather', arguments: `{"of":"${of}"}` } }))); // prettier-ignore
  const results = calls.map(({ id }, n) => ({ role: 'tool' as const, tool_call_id: id, content: `rain ${n}` }));
  const messages = [question, { ...message, role: 'assistant' as const }, ...results.reverse()];
  const before = upstream.requests.length;
  const final = await client.chat.completions.create({ model: 'main', messages, tools });
  expect(final.choices[0]?.message.content).toBe('weather: rain 0, weather: rain 1');
  expect(upstream.requests.length - before).toBe(1);
}

test('a field that the vendor refuses is named in a header', async () => {
  for (const stream of [false, true]) {
    const response = await gateway.chat({ model: 'main', temperature: 0.5, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-drivebay-ignored-params')).toBe('temperature');
    expect(await response.text()).toContain('Hi');
  }
});

test('a picture by its address is 400 with its place', async () => {
  const content = [{ type: 'text', text: 'x' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]; // prettier-ignore
  const response = await gateway.chat({ model: 'main', messages: [{ role: 'user', content }] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'messages[0].content[1]' } });
});

test('a wrong key and a missing one are 502 with what to do, and never shown', async () => {
  const wrong = await (await gateway.chat({ model: 'wrong' })).text();
  expect(wrong).toContain('API key not valid');
  expect(wrong).toContain('WRONG_KEY');
  const missing = await (await gateway.chat({ model: 'keyless' })).text();
  expect(missing).toContain('NO_KEY is not set');
  const seen = wrong + missing + gateway.stdout + gateway.stderr;
  expect(seen).not.toMatch(/the-(right|wrong|other)-key/);
  expect(gateway.stderr).not.toContain('GOOGLE_API_KEY');
});

test('the status tells a working key from a wrong and a missing one', async () => {
  const env = home.environment({ GEMINI_API_KEY: 'the-right-key', WRONG_KEY: 'the-wrong-key' });
  const { stdout, stderr } = await runCli(['providers', 'status'], { env });
  expect(stdout).toMatch(/main +http +healthy +gemini-x/);
  expect(stdout).toMatch(/wrong +http +offline/);
  expect(stderr).toMatch(/wrong.*API key not valid.*WRONG_KEY/);
  expect(stderr).toMatch(/keyless.*NO_KEY is not set/);
});
