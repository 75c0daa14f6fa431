import { Anthropic } from '@anthropic-ai/sdk';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { json, sse, Upstream } from '../../setup/upstream';
import { begin, block, end, event, message } from './wire';

/** Servers that speak the wire of the vendor, and put whole blocks where the vendor only begins them. */
const home = new TempHome();
let upstream: Upstream;
let gateway: RunningGateway;
let pieces: string[] = [];

beforeAll(async () => {
  upstream = await Upstream.start();
  // Checks of the provider come in between.
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : sse(pieces)));
  home.providers(`name: vendor, driver: anthropic, default_model: m, base_url: ${upstream.url}`);
  gateway = await RunningGateway.start([], { env: home.environment({ ANTHROPIC_API_KEY: 'sk-right-key' }) });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
  home.remove();
});

const THOUGHT = { type: 'thinking', thinking: 'Hm', signature: 'U0lH' };
const TEXT = { type: 'text', text: 'Hello' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } };
const BLOCKS = [THOUGHT, TEXT, CALL];

const ask = () =>
  new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 }).messages.stream({
    model: 'vendor',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Go' }],
  });

test.each([
  [
    'the beginning of the message',
    [event('message_start', { message: message(BLOCKS, { stop_reason: 'tool_use' }) }), event('message_stop')],
  ],
  ['the starts of its blocks', [begin, ...BLOCKS.flatMap((each, index) => block(index, each)), end('tool_use')]],
  [
    'the starts of its blocks, where deltas bring the arguments once more',
    [
      begin,
      ...block(0, THOUGHT),
      ...block(1, { type: 'text', text: 'Hel' }, { type: 'text_delta', text: 'lo' }),
      ...block(2, CALL, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      end('tool_use'),
    ],
  ],
])('an answer in %s is told in deltas', async (_, answer) => {
  pieces = answer;
  const stream = ask();
  let told = '';
  stream.on('streamEvent', (each) => {
    if (each.type === 'content_block_start') expect(each.content_block).toMatchObject(EMPTY[each.content_block.type]!);
    if (each.type === 'content_block_delta') told += Object.values(each.delta).slice(1).join('');
  });
  const { content, stop_reason } = await stream.finalMessage();
  expect([content, stop_reason, told]).toEqual([BLOCKS, 'tool_use', 'HmU0lHHello{"a":1}']);
});

/** What programs read of the start of a block. */
const EMPTY: Record<string, object> = {
  thinking: { thinking: '', signature: '' },
  text: { text: '' },
  tool_use: { input: {} },
};

test('and reaches clients of another wire', async () => {
  pieces = [event('message_start', { message: message(BLOCKS, { stop_reason: 'tool_use' }) }), event('message_stop')];
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'vendor', stream: true, messages: [{ role: 'user', content: 'Go' }] }),
  });
  const text = await response.text();
  expect(text).toContain('"content":"Hello"');
  expect(text).toContain('"arguments":"{\\"a\\":1}"');
  expect(text).toContain('"finish_reason":"tool_calls"');
});
