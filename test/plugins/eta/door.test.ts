import { Anthropic } from '@anthropic-ai/sdk';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { type Answer, json, posts, Upstream } from '../../setup/upstream';
import { block, callBlock, message, refusal, stream, textBlock, thinkingBlock } from './wire';

const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let answers: Answer[] = [];

beforeAll(async () => {
  upstream = await Upstream.start();
  // Checks of the provider come in between.
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answers.shift()!));
  const entry = `driver: anthropic, default_model: m, base_url: ${upstream.url}`;
  home.providers(`name: vendor, ${entry}`, `name: whole, ${entry}, mode: call`);
  gateway = await RunningGateway.start([], { env: home.environment({ ANTHROPIC_API_KEY: 'sk-right-key' }) });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

const HEADERS = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-management-2025-06-27' };
const BODY = {
  model: 'vendor:claude-x',
  max_tokens: 32_000,
  system: [{ type: 'text', text: 'x-anthropic-billing-header: cc_version=2;' }, { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: 'Hi' }, { role: 'system', content: 'A reminder' }],
  thinking: { type: 'adaptive' },
  context_management: { edits: [] },
  output_config: { effort: 'high' },
  stream: true,
}; // prettier-ignore

const asked = () => posts(upstream);

const post = (path: string, body: object) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'any', ...HEADERS },
    body: JSON.stringify(body),
  });

const answer = () =>
  stream(
    [...thinkingBlock(0, 'U0lH', 'Hm'), ...textBlock(1, 'Hello'), ...callBlock(2, 'toolu_1', 'Bash', '{}')],
    'tool_use',
  );

test('body, betas and answer pass the gateway as in a direct call', async () => {
  answers = [answer(), answer()];
  const direct = await fetch(`${upstream.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...HEADERS },
    body: JSON.stringify({ ...BODY, model: 'claude-x' }),
  });
  const wanted = await direct.text();
  const passed = await post('/v1/messages?beta=true', BODY);
  // The client knows the model by the name that it asked for.
  expect(await passed.text()).toBe(wanted.replace('"model":"claude-real"', `"model":"${BODY.model}"`));
  const [sent, arrived] = asked().slice(-2);
  expect(arrived!.text).toBe(sent!.text);
  expect(arrived!.headers).toMatchObject(HEADERS);
});

test('the official client goes on after a thought with the signature that the vendor gave', async () => {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 });
  answers = [answer(), json(message('Done'))];
  const tools = [{ name: 'Bash', input_schema: { type: 'object' as const } }];
  const question = { role: 'user' as const, content: 'Go' };
  const first = await client.messages
    .stream({ model: 'vendor', max_tokens: 100, messages: [question], tools })
    .finalMessage();
  expect(first.stop_reason).toBe('tool_use');
  const results = [{ type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'r' }];
  const messages = [
    question,
    { role: 'assistant' as const, content: first.content },
    { role: 'user' as const, content: results },
  ];
  const second = await client.messages.create({ model: 'vendor', max_tokens: 100, messages, tools });
  expect(second.content).toEqual([{ type: 'text', text: 'Done' }]);
  const [thought] = asked().at(-1)!.body.messages[1].content as object[];
  expect(thought).toEqual({ type: 'thinking', thinking: 'Hm', signature: 'U0lH' });
});

test('tokens are counted by the vendor', async () => {
  answers = [json({ input_tokens: 2095 })];
  const { max_tokens: _limit, stream: _stream, ...body } = BODY;
  const response = await post('/v1/messages/count_tokens?beta=true', body);
  expect(await response.json()).toEqual({ input_tokens: 2095 });
  expect(asked().at(-1)).toMatchObject({
    path: '/v1/messages/count_tokens',
    body: { ...body, model: 'claude-x' },
  });
});

test('a prompt that is too long is said in the words that programs of this wire know', async () => {
  answers = [refusal('prompt is too long: 203627 tokens > 200000 maximum')];
  const response = await post('/v1/messages', BODY);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('prompt is too long: 203627 tokens > 200000 maximum');
});

const SEARCH = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
const SUMMARY = { type: 'compaction', content: 'They said hello.', encrypted_content: null };

test.each([
  ['the vendor’s own tools', true, SEARCH, 'pause_turn'],
  ['the vendor’s own tools', false, SEARCH, 'pause_turn'],
  ['a summary', true, SUMMARY, 'compaction'],
  ['a summary', false, SUMMARY, 'compaction'],
])('an answer of %s alone is an answer (stream: %p)', async (_, isStream, only, reason) => {
  answers = [isStream ? stream(block(0, only), reason) : json(message([only], { stop_reason: reason }))];
  const before = asked().length;
  const response = await post('/v1/messages', { ...BODY, stream: isStream });
  const text = await response.text();
  expect([response.status, asked().length - before]).toEqual([200, 1]);
  expect(text).toContain(JSON.stringify(only));
  expect(text).toContain(`"stop_reason":"${reason}"`);
});

test('a client that streams goes on after a thought where the vendor is asked for whole answers', async () => {
  const thought = { type: 'thinking', thinking: 'Hm', signature: 'U0lH' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
  answers = [json(message([thought, call], { stop_reason: 'tool_use' })), json(message('Done'))];
  const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 });
  const tools = [{ name: 'Bash', input_schema: { type: 'object' as const } }];
  const question = { role: 'user' as const, content: 'Go' };
  const ask = (messages: Anthropic.MessageParam[]) =>
    client.messages.stream({ model: 'whole', max_tokens: 100, messages, tools }).finalMessage();
  const { content } = await ask([question]);
  expect(content).toMatchObject([{ thinking: 'Hm' }, call]);
  const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'r' };
  await ask([question, { role: 'assistant', content }, { role: 'user', content: [result] }]);
  expect(asked().at(-1)!.body).toMatchObject({ stream: false });
  expect(asked().at(-1)!.body.messages[1].content).toEqual([thought, call]);
});
