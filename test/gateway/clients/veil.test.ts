import type { RunningGateway } from '../../setup/running-gateway';
import { type Step, stop, text, useScripted } from '../scripted-driver';
import type { Json } from '../wire';

const YAML = `version: "1"
providers:
  - { name: secret, driver: scripted, default_model: secret-1 }
  - { name: secret-vectors, driver: vectors, embedding_model: secret-v1 }
routes:
  - { name: smart, targets: [secret] }
  - { name: vectors, targets: [secret-vectors] }
clients:
  - { name: some, api_key_env: SOME_KEY, allow: [smart, vectors], requests_per_minute: 1000 }
  - { name: all, api_key_env: ALL_KEY }
`;

const VECTORS = `module.exports = (context) => ({
  async *chat() {},
  async check() {},
  async embed({ input }) {
    if (input[0] === 'fail') throw context.error('rejected', 'secret-v1 takes other texts', { status: 400 });
    return { vectors: input.map(() => [0.5]), usage: { inputTokens: 1 }, model: 'secret-v1.0' };
  },
});`;

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => {
    const manifest = { options: { embedding_model: {} }, capabilities: { embeddings: true } };
    home.plugin('vectors', { code: VECTORS, manifest });
    return { yaml: YAML, env: { SOME_KEY: 'key-of-some', ALL_KEY: 'key-of-all' } };
  },
);

const post = async (client: string, path: string, body: Json): Promise<string> => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer key-of-${client}` },
    body: JSON.stringify({ model: 'smart', ...body }),
  });
  return JSON.stringify([...response.headers]) + (await response.text());
};

const messages = [{ role: 'user', content: 'Hello' }];
const usage = { type: 'usage', inputTokens: 3, outputTokens: 1, extra: { secret_cost: 1 } };
const native = (value: Json): Step => ({ type: 'native', value });
const OWN = { provider: 'Secret', system_fingerprint: 'secret', x_secret: { region: 'secret' } };
const MESSAGE = {
  id: 'msg_secret',
  type: 'message',
  role: 'assistant',
  model: 'secret-1',
  stop_reason: 'end_turn',
  ...OWN,
};
const COUNTS = { input_tokens: 3, output_tokens: 1, service_tier: 'secret' };
const RESPONSE = { id: 'resp_secret', object: 'response', model: 'secret-1', created_at: 1, output: [], ...OWN };
const failed = { ...RESPONSE, status: 'failed', error: { code: 'server_error', message: 'secret broke' } };

const CASES: [string, string, Json][] = [
  [
    'chat-completions',
    '/v1/chat/completions',
    {
      messages,
      script: [
        { type: 'meta', model: 'secret-1' },
        { type: 'extra', response: OWN, choiceFields: { native_finish_reason: 'secret', logprobs: null }, delta: OWN },
        text('Hi'),
        usage,
        stop,
      ],
    },
  ],
  [
    'a message as the backend sent it',
    '/v1/messages',
    {
      messages,
      max_tokens: 9,
      script: [native({ ...MESSAGE, content: [{ type: 'text', text: 'Hi' }], usage: COUNTS }), text('Hi'), usage, stop],
    },
  ],
  [
    'events of a message as the backend sent them',
    '/v1/messages',
    {
      messages,
      max_tokens: 9,
      stream: true,
      script: [
        native({ type: 'message_start', message: { ...MESSAGE, content: [], usage: COUNTS }, ...OWN }),
        native({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' }, ...OWN }),
        text('Hi'),
        native({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: COUNTS, ...OWN }),
        usage,
        native({ type: 'message_stop', ...OWN }),
        stop,
      ],
    },
  ],
  [
    'a response as the backend sent it',
    '/v1/responses',
    { input: 'Hello', script: [native({ ...RESPONSE, status: 'completed' }), text('Hi'), usage, stop] },
  ],
  [
    'events of a response as the backend sent them',
    '/v1/responses',
    {
      input: 'Hello',
      stream: true,
      script: [
        native({ type: 'response.created', sequence_number: 0, response: { ...RESPONSE, status: 'in_progress' } }),
        text('Hi'),
        native({ type: 'response.failed', sequence_number: 1, response: failed }),
        native({ type: 'error', sequence_number: 2, message: 'secret broke' }),
        usage,
        stop,
      ],
    },
  ],
];

test.each(CASES)(
  'a client that may ask for the route alone learns nothing of its target from %s',
  async (_, path, body) => {
    const veiled = await post('some', path, body);
    expect(veiled).not.toMatch(/secret/i);
    expect(veiled).toContain('smart');
    // The same tells a client without a list where it comes from.
    expect(await post('all', path, body)).toMatch(/secret/i);
  },
);

test('only a client that learns the provider also learns whether a program was kept', async () => {
  const script = [{ type: 'meta', warm: 'cold' }, text('Hi'), stop];
  const ask = (client: string) => post(client, '/v1/chat/completions', { messages, script });
  expect(await ask('all')).toContain('x-drivebay-warm');
  expect(await ask('some')).not.toContain('x-drivebay-warm');
});

test('vectors and the count of tokens are veiled, too', async () => {
  const vectors = await post('some', '/v1/embeddings', { model: 'vectors', input: 'Hello' });
  const count = await post('some', '/v1/messages/count_tokens', { messages });
  expect(vectors).toContain('"embedding":[0.5]');
  expect(vectors).toMatch(/"x-ratelimit-remaining-requests","9\d\d"/);
  expect(vectors + count).not.toMatch(/secret/i);
});

test.each([
  ['vectors', 'vectors takes other texts'],
  // This client names the model itself.
  ['vectors:secret-v1', 'secret-v1 takes other texts'],
])('a refusal of a backend names no model that %s does not name', async (model, told) => {
  expect(await post('some', '/v1/embeddings', { model, input: 'fail' })).toContain(`route \\"vectors\\": ${told}`);
});

test('the model of a target that makes vectors is not found by a guess', async () => {
  const ask = (client: string, model: string) => post(client, '/v1/embeddings', { model, input: 'Hello' });
  expect(await ask('all', 'secret-v1')).toContain('"embedding":[0.5]');
  for (const model of ['secret-v1', 'secret-v2']) expect(await ask('some', model)).toContain('model_not_allowed');
});

test.each([
  [
    'secret does not take this; ask Secret, or use "secret".',
    'the target does not take this; ask the target, or use "the target".',
  ],
  // Fields of the request, and words that only begin as the name does.
  [
    'secrets and secret-x: messages[0].secret, secret[0].text',
    'secrets and secret-x: messages[0].secret, secret[0].text',
  ],
])('a refusal of a backend tells %j without the name of the provider', async (message, told) => {
  const script = [{ fail: ['rejected', message, { status: 400 }] }];
  expect(await post('some', '/v1/chat/completions', { messages, script })).toContain(JSON.stringify(told).slice(1, -1));
});
