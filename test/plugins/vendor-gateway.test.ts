import OpenAI from 'openai';
import type { ScriptedToolCall } from 'drivebay/testing';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { json, posts, Upstream, type Answer, type RecordedRequest } from '../setup/upstream';
import { answering, type Vendor, VENDORS } from './vendors';

const RIGHT_KEY = 'sk-right-key';
const KEYS = { WRONG_KEY: 'sk-wrong-key', ...Object.fromEntries(VENDORS.map((each) => [each.keyVariable, RIGHT_KEY])) };
const CALLS: ScriptedToolCall[] = ['c1', 'c2'].map((id) => ({ id, name: 'weather', arguments: `{"in":"${id}"}` }));
const SIGNATURE = 'c2lnbmVk';

const home = new TempHome();
const upstreams = new Map<Vendor, Upstream>();
let gateway: RunningGateway;
let client: OpenAI;

/** Each vendor has three providers: with the right key, with a wrong one, and without. */
beforeAll(async () => {
  const entries: string[] = [];
  for (const vendor of VENDORS) {
    const { alias } = vendor;
    const upstream = (await Upstream.start()).answer((request) => play(vendor, request));
    upstreams.set(vendor, upstream);
    const entry = (name: string, more: string) =>
      `name: ${alias}-${name}, driver: ${alias}, default_model: m, base_url: ${upstream.url}${more}`;
    const keys = { wrong: 'WRONG_KEY', keyless: 'NO_KEY' };
    entries.push(
      entry('right', ''),
      ...Object.entries(keys).map(([name, key]) => entry(name, `, api_key_env: ${key}`)),
    );
  }
  home.providers(...entries);
  gateway = await RunningGateway.start([], { env: home.environment(KEYS) });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
});

afterAll(async () => {
  await gateway.stop();
  for (const upstream of upstreams.values()) await upstream.close();
  home.remove();
});

/** Wants the key, refuses a temperature, calls a tool twice, and signs the first call. */
function play(vendor: Vendor, request: RecordedRequest): Answer {
  const { wire, keyIn, refusals } = vendor;
  if (keyIn(request.headers) !== RIGHT_KEY) {
    return wire.failure({ fault: 'auth', status: 401, message: 'the key is refused' }, request);
  }
  const refusal = refusals.find(({ ignored }) => ignored?.[0] === 'temperature');
  if (request.method === 'POST' && refusal!.holds(request.body)) return json(refusal!.answer, { status: 400 });
  if (request.method === 'GET' || !/weather/.test(request.text) || /rain/.test(request.text)) {
    return answering(vendor)(request);
  }
  const toolCalls = CALLS.map((call, index) => (index === 0 ? { ...call, signature: SIGNATURE } : call));
  const usage = { inputTokens: 1, outputTokens: 1 };
  return wire.answer({ pieces: [], toolCalls, usage, finish: 'tool_calls' }, request);
}

const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'How is it?' };

describe.each(VENDORS)('behind the gateway: $alias', (vendor) => {
  const { alias } = vendor;

  test.each([false, true])('the official client has parallel tool calls answered, stream: %s', async (streamed) => {
    const request = { model: `${alias}-right`, messages: [question], tools };
    const { choices } = streamed
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    const { message } = choices[0]!;
    const calls = message.tool_calls ?? [];
    expect(calls).toMatchObject(CALLS.map(({ name, arguments: text }) => ({ function: { name, arguments: text } })));

    const asked = () => posts(upstreams.get(vendor)!);
    const before = asked().length;
    const results = calls.map(({ id }, n) => ({ role: 'tool' as const, tool_call_id: id, content: `rain ${n}` }));
    const answer = await client.chat.completions.create({ ...request, messages: [question, message, ...results] });
    expect(answer.choices[0]?.message.content).toBe('Hi');
    // The client echoes the signature in a field that it does not know.
    expect(asked()).toHaveLength(before + 1);
    for (const text of [SIGNATURE, 'rain 0', 'rain 1']) expect(asked().at(-1)!.text).toContain(text);
  });

  test('a field that the vendor refuses is named in a header', async () => {
    for (const stream of [false, true]) {
      const response = await gateway.chat({ model: `${alias}-right`, temperature: 0.2, stream });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-drivebay-ignored-params')).toBe('temperature');
      expect(await response.text()).toContain('Hi');
    }
  });

  test('a wrong key and a missing one are 502 with what to do', async () => {
    const [wrong, missing] = await Promise.all(
      ['wrong', 'keyless'].map((name) => gateway.chat({ model: `${alias}-${name}` })),
    );
    expect([wrong!.status, missing!.status]).toEqual([502, 502]);
    expect(await wrong!.text()).toMatch(/the key is refused.*WRONG_KEY/);
    expect(await missing!.text()).toContain('NO_KEY is not set');
  });
});

test('the status tells a working key from a wrong and a missing one', async () => {
  const { stdout, stderr } = await home.runIn(home.directory, ['providers', 'status'], KEYS);
  for (const { alias } of VENDORS) {
    expect(stdout).toMatch(new RegExp(`${alias}-right +http +healthy +m`));
    expect(stdout).toMatch(new RegExp(`${alias}-wrong +http +offline`));
    expect(stderr).toMatch(new RegExp(`${alias}-wrong.*the key is refused.*WRONG_KEY`));
    expect(stderr).toMatch(new RegExp(`${alias}-keyless.*NO_KEY is not set`));
  }
});

test('no key is shown', () => {
  expect(gateway.stdout + gateway.stderr).not.toMatch(/sk-(right|wrong)/);
});
