import type { RunningGateway } from '../../../setup/running-gateway';
import { PROVIDERS, type Step, stop, text, useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';
import { askMessage, piece, shortForm } from './message-wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const ask = async (fields: Json) => {
  const { status, headers, text: body } = await askMessage(gateway, fields);
  return { status, headers, error: (JSON.parse(body) as Json).error as Json, body: JSON.parse(body) as Json };
};
const fail = (code: string, message: string, details: Json = {}): Step => ({ fail: [code, message, details] });

describe('a failure of the backend has the status of its kind', () => {
  test.each<[string, Step, number, string, string | null, RegExp]>([
    ['rejected', fail('rejected', 'bad value', { status: 422 }), 400, 'invalid_request_error', 'false', /bad value/],
    ['no such model', fail('rejected', 'no', { kind: 'model_unavailable' }), 404, 'not_found_error', 'false', /no/],
    ['a wrong key', fail('auth', 'wrong key', { status: 401 }), 403, 'permission_error', 'false', /wrong key/],
    ['no credit', fail('rejected', 'pay', { kind: 'billing' }), 402, 'billing_error', 'false', /pay/],
    ['a limit', fail('rate_limited', 'slow down', { retryAfterS: 7 }), 429, 'rate_limit_error', null, /slow down/],
    ['a long limit', fail('rate_limited', 'come back', { retryAfterS: 3600 }), 429, 'rate_limit_error', null, /back/],
    [
      'a quota at its end',
      fail('rate_limited', 'used up', { kind: 'usage_limit' }),
      429,
      'rate_limit_error',
      'false',
      /used/,
    ],
    ['an empty answer', fail('upstream', 'nothing', { kind: 'empty' }), 502, 'api_error', 'false', /nothing/],
    ['a filter', fail('rejected', 'no', { kind: 'content_filter' }), 400, 'invalid_request_error', 'false', /no/],
    ['a crash', fail('upstream', 'broke', { status: 500 }), 502, 'api_error', null, /broke/],
    ['too much to do', fail('upstream', 'busy', { kind: 'overloaded' }), 503, 'api_error', null, /busy/],
    ['no connection', fail('unreachable', 'refused'), 502, 'api_error', null, /refused/],
    ['a timeout', fail('timeout', 'too slow'), 504, 'timeout_error', null, /too slow/],
    ['an effect', fail('upstream', 'x', { sideEffects: true }), 502, 'api_error', 'false', /x/],
    [
      'an own refusal',
      fail('invalid_request', 'not so', { param: 'top_k' }),
      400,
      'invalid_request_error',
      'false',
      /^not so$/,
    ],
  ])('%s', async (name, step, status, type, retry, message) => {
    const { headers, error, body, ...answer } = await ask({ script: [step], stream: true });
    expect([answer.status, body.type, error.type]).toEqual([status, 'error', type]);
    expect(error.message).toMatch(message);
    expect(headers.get('x-should-retry')).toBe(retry);
    const waits: Json = { 'a limit': '7', 'a long limit': '3600' };
    expect(headers.get('retry-after')).toBe(waits[name] ?? null);
  });

  test.each([
    ['it was refused.', 'it was refused; log in'],
    ['it was refused ...', 'it was refused ...; log in'],
  ])('the way out follows %p without a second stop', async (said, shown) => {
    const { error } = await ask({ script: [fail('auth', said, { status: 401, hint: 'log in' })] });
    expect(error.message).toBe(`provider "main": ${shown}`);
  });

  test('and details for programs, with the way out in the message for their users', async () => {
    const { error } = await ask({ script: [fail('auth', 'no', { status: 401, hint: 'log in' })] });
    expect(error.message).toBe('provider "main": no; log in');
    expect(error.details).toEqual({ kind: 'auth', provider: 'main', upstream_status: 401, hint: 'log in' });
  });

  test('of an agent: a client does not start it again', async () => {
    const { headers, status } = await ask({ model: 'agent', script: [fail('upstream', 'broke')] });
    expect([status, headers.get('x-should-retry')]).toEqual([502, 'false']);
  });
});

test.each([
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    'prompt is too long: 9001 tokens > 8192 maximum (',
  ],
  [
    'the request exceeds the available context size (4096 tokens), try increasing it: 5000 tokens',
    'prompt is too long: 5000 tokens > 4096 maximum (',
  ],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'prompt is too long: 1200000 tokens > 1048576 maximum (',
  ],
  ['prompt is too long: 213462 tokens > 200000 maximum', 'prompt is too long: 213462 tokens > 200000 maximum ('],
  [
    'the limit is 128,000 tokens, and the conversation has 1,130,500',
    'prompt is too long: 1130500 tokens > 128000 maximum (',
  ],
  [
    '127.0.0.1:38231 answered 400: your messages resulted in 9001 tokens, and the limit is 8192 (9001 tokens > 8192 maximum)',
    'prompt is too long: 9001 tokens > 8192 maximum (',
  ],
  [
    '127.0.0.1:38231 answered 400: model m-20250514 takes a maximum of 128 tokens, and got 300.',
    'prompt is too long: 300 tokens > 128 maximum (',
  ],
  ['127.0.0.1:38231 answered 400: the maximum is 8192 tokens', 'prompt is too long ('],
  ['the input is larger than the context', 'prompt is too long ('],
])('too long a prompt is told in the words that make a client shorten it: %s', async (words, expected) => {
  const { status, error } = await ask({ script: [fail('rejected', words, { kind: 'context_overflow' })] });
  expect([status, error.type]).toEqual([400, 'invalid_request_error']);
  expect(error.message).toContain(words);
  expect((error.message as string).startsWith(expected)).toBe(true);
});

test('a failure names its request, as clients show it to people who ask for help', async () => {
  const named = async (fields: Json) => {
    const { headers, text: body } = await askMessage(gateway, fields);
    const { request_id } = JSON.parse(body.slice(body.lastIndexOf('{"type":"error"')).trim()) as Json;
    return [request_id, headers.get('request-id')];
  };
  for (const fields of [
    { messages: [] },
    { script: [fail('upstream', 'broke')] },
    { stream: true, script: [text('Hi'), fail('upstream', 'broke')] },
  ]) {
    const [id, header] = await named(fields);
    expect(id).toMatch(/^req_/);
    expect(id).toBe(header);
  }
  const nowhere = await fetch(`${gateway.url}/v1/messages/batches`, { headers: { 'anthropic-version': '2023-06-01' } });
  expect(((await nowhere.json()) as Json).request_id).toBe(nowhere.headers.get('request-id'));
});

describe('a mistake of the request', () => {
  test.each<[string, Json, RegExp, string | undefined]>([
    ['no messages', { messages: [] }, /messages/, 'messages'],
    ['no limit', { max_tokens: undefined }, /max_tokens: found nothing/, 'max_tokens'],
    ['a wrong role', { messages: [{ role: 'tool', content: 'x' }] }, /one of user, assistant/, 'messages[0].role'],
    ['a wrong type', { temperature: 'hot' }, /temperature/, 'temperature'],
    ['nothing said', { messages: [{ role: 'user', content: '' }] }, /a message with content/, 'messages'],
    [
      'a call without a name',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] }] },
      /name/,
      'messages[0].content[0].name',
    ],
    ['a tool without a name', { tools: [{ input_schema: {} }] }, /tools\[0\].name/, 'tools[0].name'],
    ['an unknown choice', { tools: [{ name: 'f' }], tool_choice: { type: 'x' } }, /tool_choice/, 'tool_choice.type'],
  ])('%s is 400 with the field', async (_name, fields, message, param) => {
    const { status, error } = await ask(fields);
    expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', param]);
    expect(error.message).toMatch(message);
  });

  test('tools at a provider without them name the provider', async () => {
    const { status, error } = await ask({ model: 'plain', tools: [{ name: 'f', input_schema: {} }] });
    expect([status, error.message]).toEqual([400, expect.stringContaining('provider "plain" cannot call tools')]);
  });

  test('a part that the provider does not take is in the messages, which it counts in another way', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AA' };
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
    const { status, error } = await ask({ model: 'plain', system: 'x', messages });
    expect([status, error.param]).toEqual([400, 'messages']);
    const refusal = fail('invalid_request', 'no call', { param: 'messages[3]' });
    expect((await ask({ script: [refusal] })).error.param).toBe('messages');
  });

  test('only tools that the backend would run itself: not at another backend', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search' };
    const { status, error } = await ask({ model: 'plain', tools: [search] });
    expect([status, error.message]).toEqual([400, expect.stringContaining('has no web_search_20250305')]);
    const beside = await askMessage(gateway, { tools: [search, { name: 'f' }] });
    expect([beside.status, beside.headers.get('x-drivebay-ignored-params')]).toEqual([200, 'tools[0]']);
  });

  test('what a driver cannot carry out is named as the client knows it', async () => {
    const ignored = ['response_format', 'reasoning_effort', 'stop', 'parallel_tool_calls', 'temperature'];
    const script = [{ type: 'meta', ignored }, text('Hi'), stop];
    const lost = async (fields: Json) =>
      (await askMessage(gateway, { script, ...fields })).headers.get('x-drivebay-ignored-params');
    const others = 'stop_sequences,tool_choice.disable_parallel_tool_use,temperature,script';
    for (const stream of [false, true]) {
      const effort = { stream, output_config: { effort: 'low' } };
      expect(await lost(effort)).toBe(`output_config.format,output_config.effort,${others}`);
      const thinking = { type: 'enabled', budget_tokens: 2048 };
      expect(await lost({ stream, thinking })).toBe(`output_config.format,thinking,${others}`);
    }
    const { status, error } = await ask({ script: [{ fail: ['invalid_request', 'no', { param: 'stop' }] }] });
    expect([status, error.param]).toEqual([400, 'stop_sequences']);
  });

  test('paths below are told in the same form', async () => {
    const response = await fetch(`${gateway.url}/v1/messages/batches`, { method: 'POST' });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { type: 'error', error: { type: 'not_found_error' } },
    ]);
    const other = await fetch(`${gateway.url}/v1/files`, { headers: { 'anthropic-version': '2023-06-01' } });
    expect(await other.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });
});

describe('an answer that breaks', () => {
  const broke = fail('upstream', 'it broke');
  test.each<[string, Step[], string]>([
    ['in a text', [text('Hi'), broke], '+0:text "Hi" -0 error:api_error'],
    ['in reasoning', [{ type: 'reasoning', text: 'a' }, broke], '+0:thinking "a" -0 error:api_error'],
    [
      'behind a text, in a call',
      [text('Hi'), piece(0, '{', { id: 'x', name: 'f' }), broke],
      '+0:text "Hi" -0 +1:tool_use "{" error:api_error',
    ],
    ['with a timeout', [text('Hi'), fail('timeout', 'slow')], '+0:text "Hi" -0 error:timeout_error'],
    ['without an end', [text('Hi')], '+0:text "Hi" -0 error:api_error'],
  ])('%s ends with an error behind a closed block', async (_name, script, expected) => {
    const { text: transcript } = await askMessage(gateway, { stream: true, script });
    expect(shortForm(transcript)).toBe(`start ${expected}`);
  });

  test('in its first call: the call stays open, and an empty block is closed', async () => {
    const script = [piece(0, '{', { id: 'x', name: 'f' }), broke];
    const { text: transcript } = await askMessage(gateway, { stream: true, script });
    const events = [...transcript.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json);
    expect(events.slice(-3)).toMatchObject([
      { type: 'content_block_start', index: 1, content_block: { type: 'text' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'error', error: { message: 'provider "main": it broke' } },
    ]);
    expect(events.filter(({ type, index }) => type === 'content_block_stop' && index === 0)).toEqual([]);
  });
});

describe('behind a key', () => {
  let locked: RunningGateway;
  useScripted(
    (started) => (locked = started),
    () => ({ yaml: PROVIDERS, words: ['--api-key-env', 'DOOR_KEY'], env: { DOOR_KEY: 'right' } }),
  );

  test.each<[Record<string, string>, number]>([
    [{ 'x-api-key': 'right' }, 200],
    [{ authorization: 'Bearer right' }, 200],
    [{ 'x-api-key': 'wrong', authorization: 'Bearer right' }, 200],
    [{ 'x-api-key': 'right', authorization: 'Bearer wrong' }, 200],
    [{ 'x-api-key': 'wrong' }, 401],
    [{}, 401],
  ])('%j is %i', async (headers, status) => {
    const answer = await askMessage(locked, { script: [text('Hi'), stop] }, { headers });
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([status, status === 401 ? 'false' : null]);
    if (status === 401) expect(answer.text).toContain('authentication_error');
  });
});
