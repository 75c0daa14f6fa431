import type { RunningGateway } from '../../setup/running-gateway';
import { logged, type Step, stop, text, useScripted } from '../scripted-driver';
import { errorOf, type Json } from '../wire';

const YAML = `version: "1"
default_provider: main
providers:
  - { name: main, driver: scripted, default_model: m-1 }
  - { name: plain, driver: plain, default_model: p-1 }
  - { name: secret, driver: scripted, default_model: m-1 }
  - { name: vendor, driver: scripted, default_model: top-3.5 }
  - { name: agent, driver: agent, default_model: a-1 }
  - { name: vectors, driver: vectors, default_model: e-1 }
routes:
  - { name: smart, targets: [secret, agent] }
  - { name: hidden, targets: [main] }
  - { name: best, targets: [vendor] }
  - { name: "gpt-*", targets: [main] }
  - { name: "gpt-4*", targets: [secret] }
clients:
  - { name: all, api_key_env: ALL_KEY }
  - { name: some, api_key_env: SOME_KEY, allow: [plain, smart, best, "gpt-*"] }
  - { name: standard, api_key_env: STANDARD_KEY, allow: [main] }
  - { name: model, api_key_env: MODEL_KEY, allow: ["main:m-1", "main:big", "plain:big", "smart:huge", "vectors:e-2"] }
  - { name: none, api_key_env: NONE_KEY, allow: [] }
`;
const NAMES = ['ALL', 'SOME', 'STANDARD', 'MODEL', 'NONE'];

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML, env: Object.fromEntries(NAMES.map((name) => [`${name}_KEY`, keyOf(name)])) }),
);

/** Its vectors tell which fields it got. */
home.plugin('vectors', {
  manifest: { capabilities: { embeddings: true } },
  code: `module.exports = () => ({
    async *chat() {},
    async check() {},
    async embed({ extra }) { return { vectors: [['models', 'fallbacks', 'kept'].map((name) => (name in extra ? 1 : 0))] }; },
  })`,
});

const keyOf = (name: string) => `key-of-${name.toLowerCase()}-client`;
const auth = (name: string) => ({ authorization: `Bearer ${keyOf(name)}` });
const ask = (name: string, model: string, fields: Json = {}) =>
  gateway.chat({ model, ...fields }, { headers: auth(name) });
const post = (name: string, path: string, body: object) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth(name) },
    body: JSON.stringify(body),
  });
const get = (name: string, path: string) => fetch(gateway.url + path, { headers: auth(name) });
const listed = async (name: string) =>
  ((await (await get(name, '/v1/models')).json()) as Json).data.map(({ id }: Json) => String(id));

test.each([
  [
    'ALL',
    [
      'main',
      'main:m-1',
      'plain',
      'plain:p-1',
      'secret',
      'secret:m-1',
      'vendor',
      'vendor:top-3.5',
      'agent',
      'agent:a-1',
      'vectors',
      'vectors:e-1',
      'smart',
      'hidden',
      'best',
    ],
  ],
  ['SOME', ['plain', 'plain:p-1', 'smart', 'best']],
  ['STANDARD', ['main', 'main:m-1']],
  ['MODEL', ['main', 'main:m-1', 'main:big', 'plain:big', 'vectors:e-2', 'smart:huge']],
  ['NONE', []],
])('the client %s is listed what it may ask for', async (name, ids) => {
  expect(await listed(name)).toEqual(ids);
});

test.each([
  ['SOME', 'plain', 'plain'],
  ['SOME', 'plain:any', 'plain'],
  ['SOME', 'p-1', 'plain'],
  ['SOME', 'smart', 'smart'],
  ['SOME', 'smart:any', 'smart'],
  ['SOME', 'gpt-3', 'gpt-*'],
  // The longer pattern is not for this client.
  ['SOME', 'gpt-4o', 'gpt-*'],
  // The first provider with this default model is another one.
  ['MODEL', 'm-1', 'main'],
  ['MODEL', 'main', 'main'],
  ['MODEL', 'main:big', 'main'],
  ['MODEL', 'plain:big', 'plain'],
  ['MODEL', 'smart:huge', 'smart'],
  ['ALL', 'whatever', 'main'],
])('%s may ask for %s, which %s answers', async (name, model, provider) => {
  const response = await ask(name, model);
  expect([response.status, response.headers.get('x-drivebay-provider')]).toEqual([200, provider]);
});

test.each([
  ['SOME', 'main'],
  ['SOME', 'm-1'],
  ['SOME', 'secret:m-1'],
  ['SOME', 'agent'],
  ['SOME', 'hidden'],
  ['SOME', 'nothing-of-this-name'],
  ['SOME', 'nothing:model'],
  // Its default provider would answer to any name: then the others would stand out.
  ['STANDARD', 'nothing-of-this-name'],
  ['STANDARD', 'plain'],
  ['MODEL', 'plain'],
  ['MODEL', 'main:other'],
  ['MODEL', 'smart'],
  ['NONE', 'main'],
])('%s may not ask for %s, and does not learn whether it exists', async (name, model) => {
  const response = await ask(name, model);
  const body = await response.text();
  const { message, ...rest } = errorOf(body) as unknown as Json;
  const available = name === 'NONE' ? 'nothing is available for it' : `available: ${AVAILABLE[name]}`;
  expect(response.status).toBe(403);
  expect(response.headers.has('x-drivebay-provider')).toBe(false);
  expect(rest).toEqual({ type: 'permission_error', code: 'model_not_allowed', param: 'model' });
  expect(message).toBe(`client "${name.toLowerCase()}" may not ask for model "${model}"; ${available}`);
  const found = await get(name, `/v1/models/${model}`);
  expect([found.status, errorOf(await found.text()).code]).toEqual([403, 'model_not_allowed']);
});

const AVAILABLE: Record<string, string> = {
  SOME: 'plain, smart, best, gpt-*',
  STANDARD: 'main',
  MODEL: 'main:m-1, main:big, plain:big, vectors:e-2, smart:huge',
};

test('a provider with a slash is named with a colon where the client may ask for it', async () => {
  const told = async (name: string, model: string) => errorOf(await (await ask(name, model)).text()).message;
  expect(await told('SOME', 'plain/x')).toBe('client "some" may not ask for model "plain/x"; did you mean "plain:x"?');
  expect(await told('SOME', 'main/x')).not.toContain('did you mean');
  expect(await told('MODEL', 'main/other')).not.toContain('did you mean');
});

test('every door says so in its own form', async () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const message = await post('SOME', '/v1/messages', { model: 'claude-x', max_tokens: 9, messages });
  const { error } = (await message.json()) as Json;
  expect([message.status, error.type]).toEqual([403, 'permission_error']);
  expect(error.message).toContain('available: plain, smart, best, gpt-*; ');
  const response = await post('SOME', '/v1/responses', { model: 'main', input: 'x' });
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([403, 'false']);
  const embedding = await post('SOME', '/v1/embeddings', { model: 'main', input: 'x' });
  expect(embedding.status).toBe(403);
});

test('a request without a model means the default provider, where the client may ask for it', async () => {
  const statuses = ['ALL', 'STANDARD', 'MODEL', 'SOME', 'NONE'].map(
    async (name) => (await post(name, '/v1/responses', { input: 'x' })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 400, 400]);
});

test('tokens of what is not allowed are estimated, and no backend is asked', async () => {
  const messages = [{ role: 'user', content: 'Hello there' }];
  const count = async (model: string) =>
    (await post('SOME', '/v1/messages/count_tokens', { model, messages })).json() as Promise<Json>;
  expect(await count('main')).toEqual(await count('nothing-of-this-name'));
});

describe('a route to targets that the client may not name', () => {
  /** What reached the client. */
  const answers: string[] = [];

  async function collect(fields: Json, path = '/v1/chat/completions'): Promise<Response> {
    const response = await post('SOME', path, { model: 'smart', ...fields });
    answers.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  }

  const FAILURES: [string, Step[]][] = [
    ['a failure', [{ fail: ['upstream', 'secret broke', { hint: 'look at secret' }] }]],
    ['a limit', [{ fail: ['rate_limited', 'secret is full', { kind: 'usage_limit', retryAfterS: 9 }] }]],
    ['a missing key', [{ fail: ['auth', 'SECRET_KEY is not set', { kind: 'missing_key' }] }]],
    ['a failure in the stream', [text('x'), { fail: ['upstream', 'secret broke'] }]],
  ];

  test.each(FAILURES)('%s names none of them', async (_name, script) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const stream of [true, false]) {
      const chat = await collect({ messages, stream, script });
      expect(chat.headers.get('x-drivebay-provider')).toBe('smart');
      await collect({ messages, stream, script, max_tokens: 9 }, '/v1/messages');
      await collect({ input: 'Hello', stream, script }, '/v1/responses');
    }
    const told = (await (await collect({ messages, script: FAILURES[0]![1] })).json()) as Json;
    expect(told.error).toMatchObject({
      message: 'route "smart": no target has answered (upstream)',
      details: { kind: 'upstream', provider: 'smart' },
    });
  });

  test('the log has it all', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    // Not one of those above: their failures are replayed.
    const script = [{ fail: ['upstream', 'secret broke again'] }];
    const response = await collect({ messages, script });
    const line = await logged(gateway, 'chat', { id: response.headers.get('x-request-id') });
    expect(line).toMatchObject({
      client: 'some',
      route: 'smart',
      error: expect.stringContaining('secret broke again'),
    });
  });

  test('what is wrong with the request is told', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const response = await collect({ messages, script: [{ fail: ['rejected', 'top_p is too high'] }] });
    expect(errorOf(await response.text()).message).toContain('top_p is too high');
  });

  test.each([
    'secret.example:9871 answered 400: top_p is too high',
    'top_p is too high, see https://secret.example/x',
    'top_p is too high, says secret.example:9871',
    'top_p is too high, says secret.localhost:9871',
    'top_p is too high; write to help.secret.com.',
  ])('what is wrong with the request is told without a host: %s', async (message) => {
    const messages = [{ role: 'user', content: message }];
    const response = await collect({ messages, script: [{ fail: ['rejected', message, { status: 400 }] }] });
    expect(errorOf(await response.text()).message).toContain('top_p is too high');
  });

  test.each([
    ['best', 'route "best": top_p is too high for best'],
    // This client names the model itself.
    ['best:top-3.5', 'route "best": top_p is too high for TOP-3.5'],
  ])('what is wrong with a request for %s is told without the model that the route chooses', async (model, told) => {
    const script = [{ fail: ['rejected', 'top_p is too high for TOP-3.5', { status: 400 }] }];
    expect(errorOf(await (await ask('SOME', model, { script })).text()).message).toBe(told);
  });

  test('what a backend says of its account, its models or a redirect is not', async () => {
    for (const details of [{ kind: 'billing', status: 402 }, { kind: 'model_unavailable' }, { status: 302 }]) {
      const messages = [{ role: 'user', content: JSON.stringify(details) }];
      await collect({ messages, script: [{ fail: ['rejected', 'top up at secret', details] }] });
    }
  });

  test.each([true, false])('its answer has no fields of a backend (stream: %s)', async (stream) => {
    const script = [{ type: 'extra', response: { provider: 'Secret' } }, text('x'), stop];
    const fields = { messages: [{ role: 'user', content: 'fields' }], stream, script };
    expect((await collect(fields)).status).toBe(200);
    const whole = await post('ALL', '/v1/chat/completions', { model: 'smart', ...fields });
    expect(await whole.text()).toContain('"provider":"Secret"');
  });

  test('nothing of it all reached the client', () => {
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.join('\n')).not.toMatch(/secret|agent|attempts|hidden/i);
  });

  test('a client that may ask for everything is told', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const response = await post('ALL', '/v1/chat/completions', { model: 'smart', messages, script: FAILURES[0]![1] });
    const { error } = (await response.json()) as Json;
    expect(error.details.attempts).toHaveLength(2);
  });
});

describe('a client that may ask for single models', () => {
  const script = [{ echo: 'request' }, stop];
  const further = { models: ['dear'], fallbacks: [{ model: 'dear' }], fallback_model: 'dear' };
  const messages = [{ role: 'user', content: 'Hi' }];

  test.each([
    ['/v1/chat/completions', { messages }],
    ['/v1/messages', { messages, max_tokens: 9 }],
    ['/v1/responses', { input: 'Hi' }],
  ])('names no further ones to a backend, at %s', async (path, fields) => {
    const sent = { ...fields, ...further, model: 'main:big', top_k: 5, script };
    const limited = await post('MODEL', path, sent);
    const told = await limited.text();
    expect([limited.status, told.includes('dear'), told.includes('top_k')]).toEqual([200, false, true]);
    for (const name of Object.keys(further)) {
      expect(limited.headers.get('x-drivebay-ignored-params')!.split(',')).toContain(name);
    }
    expect(await (await post('ALL', path, sent)).text()).toContain('dear');
  });

  const drawing = { type: 'image_generation', model: 'dear' };
  const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'dear' };
  const search = { type: 'openrouter:search', parameters: { judge_models: ['big', 'dear'] } };
  const own = {
    type: 'function',
    function: { name: 'f', parameters: { type: 'object', properties: { model: { type: 'string', const: 'dear' } } } },
    model: 'dear',
  };
  const changes = [{ role: 'system', content: [{ type: 'tool_addition', tool: { definition: advisor } }] }];

  test.each<[string, Json, string]>([
    ['/v1/chat/completions', { messages, tools: [own, search] }, 'tools[1].parameters.judge_models'],
    [
      '/v1/chat/completions',
      { messages, plugins: [{ id: 'web' }, { id: 'fusion', model: 'dear' }] },
      'plugins[1].model',
    ],
    ['/v1/messages', { messages, max_tokens: 9, tools: [{ name: 'f' }, advisor] }, 'tools[1].model'],
    [
      '/v1/messages',
      { messages: [...messages, ...changes], max_tokens: 9 },
      'messages[1].content[0].tool.definition.model',
    ],
    ['/v1/responses', { input: 'Hi', tools: [drawing] }, 'tools[0].model'],
    [
      '/v1/responses',
      {
        input: [
          { type: 'additional_tools', tools: [drawing] },
          { role: 'user', content: 'Hi' },
        ],
      },
      'input[0].tools[0].model',
    ],
  ])('nor for a tool of the backend, at %s: %j', async (path, fields, param) => {
    const sent = { ...fields, model: 'main:big', script };
    const limited = await post('MODEL', path, sent);
    const { error } = (await limited.json()) as Json;
    expect([limited.status, error]).toMatchObject([403, { code: 'model_not_allowed', param }]);
    expect(error.message).toContain('may not ask for model "dear"');
    expect((await post('ALL', path, sent)).status).not.toBe(403);
    const allowed = JSON.parse(JSON.stringify(sent).replaceAll('"dear"', '"big"')) as Json;
    expect((await post('MODEL', path, allowed)).status).not.toBe(403);
  });

  test('its own tools may speak of models', async () => {
    const call = {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    const used = { type: 'tool_use', id: 'c', name: 'f', input: { tools: [advisor] } };
    const chats = { messages: [...messages, call, { role: 'tool', tool_call_id: 'c', content: '1' }], tools: [own] };
    const schema = { name: 'f', input_schema: { type: 'object', properties: { model: { const: 'dear' } } } };
    const turns = { messages: [...messages, { role: 'assistant', content: [used] }], max_tokens: 9, tools: [schema] };
    for (const [path, fields] of [
      ['/v1/chat/completions', chats],
      ['/v1/messages', turns],
      ['/v1/responses', { input: 'Hi', tools: [{ type: 'function', name: 'f', parameters: schema.input_schema }] }],
    ] as const) {
      const limited = await post('MODEL', path, { ...fields, model: 'main:big', script });
      expect([limited.status, await limited.text()]).toMatchObject([200, expect.any(String)]);
    }
  });

  test('nor where it asks for vectors', async () => {
    const sent = { model: 'vectors:e-2', input: 'x', models: ['dear'], fallbacks: ['dear'], kept: 1 };
    const vector = async (name: string) => {
      const answer = await post(name, '/v1/embeddings', sent);
      const { data } = (await answer.json()) as Json;
      return [data[0].embedding, answer.headers.get('x-drivebay-ignored-params')];
    };
    expect(await vector('MODEL')).toEqual([[0, 0, 1], 'models,fallbacks']);
    expect(await vector('ALL')).toEqual([[1, 1, 1], null]);
  });
});
