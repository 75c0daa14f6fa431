import type { RunningGateway } from '../../../setup/running-gateway';
import { logLines, PROVIDERS, useScripted } from '../../scripted-driver';
import type { Json } from '../../wire';
import { askMessage } from './message-wire';

let gateway: RunningGateway;
const home = useScripted(
  (started) => (gateway = started),
  () => ({ yaml: `${PROVIDERS}  - { name: counts, driver: counting, default_model: claude-counted }\n` }),
);
home.plugin('counting', {
  code: `module.exports = () => ({
    async *chat() { yield { type: 'text', text: 'x' }; yield { type: 'finish', reason: 'stop' }; },
    async check() {},
    async countTokens({ origin }) {
      const { mode } = origin.body;
      if (mode === 'fails') throw new Error('no');
      return mode === 'odd' ? NaN : 4321;
    },
  })`,
});

const COUNT = { path: '/v1/messages/count_tokens' };
const count = async (fields: Json, path = COUNT.path) => {
  const { status, text } = await askMessage(gateway, fields, { path });
  return [status, (JSON.parse(text) as Json).input_tokens];
};
const get = async (path: string, headers: Record<string, string> = { 'anthropic-version': '2023-06-01' }) =>
  fetch(gateway.url + path, { headers });

describe('tokens are counted', () => {
  test('by the backend where it can', async () => {
    expect(await count({ model: 'counts' })).toEqual([200, 4321]);
  });

  test.each<[string, Json]>([
    ['a driver that cannot', { model: 'main' }],
    ['an agent', { model: 'agent' }],
    ['a driver that fails', { model: 'counts', mode: 'fails' }],
    ['a driver that gives no number', { model: 'counts', mode: 'odd' }],
    ['a model that nobody has', { model: 'nobody' }],
    ['no limit, as programs send it', { model: 'main', max_tokens: undefined }],
    [
      'what is no request',
      { model: 'counts', messages: [{ role: 'user', content: 'Hello' }, { role: 'x' }], tools: 7 },
    ],
    [
      'images that the provider does not take',
      { model: 'plain', messages: [{ role: 'user', content: [{ type: 'image' }] }] },
    ],
  ])('or estimated, and never refused: %s', async (_name, fields) => {
    const [status, tokens] = await count(fields);
    expect([status, tokens > 0]).toEqual([200, true]);
  });

  test('at each path, and nothing is asked for it', async () => {
    for (const path of ['/v1/v1/messages/count_tokens', '/anthropic/v1/messages/count_tokens?beta=true']) {
      expect(await count({ model: 'main' }, path)).toEqual([200, 5]);
    }
    expect(logLines(gateway).filter(({ msg }) => msg === 'turn started')).toEqual([]);
  });
});

const schema = { type: 'object', properties: { path: { type: 'string', description: 'x'.repeat(1000) } } };
const tools = Array.from({ length: 28 }, (_, n) => ({ name: `tool_${n}`, description: 'd', input_schema: schema }));

test('30 kB of tools are counted in under 50 ms', async () => {
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const begin = performance.now();
    const [status, tokens] = await count({ model: 'main', tools });
    times.push(performance.now() - begin);
    expect([status, tokens > 5_000]).toEqual([200, true]);
  }
  // The best of them: what else the machine does is no part of it.
  expect(Math.min(...times)).toBeLessThan(50);
});

describe('an estimate', () => {
  const about = async (content: unknown, more: Json = {}) => {
    const [status, tokens] = await count({ model: 'main', messages: [{ role: 'user', content }], ...more });
    expect(status).toBe(200);
    return tokens as number;
  };

  test('counts tools, which are most of a request, and of the whole is the sum of its parts', async () => {
    const offered = JSON.stringify(tools).length / 4;
    expect(offered).toBeGreaterThan(7_500);
    const all = await about('foo', { system: 'z'.repeat(400), tools });
    // Each message has 3 tokens of its own.
    expect(all / (offered + 100 + 1 + 6)).toBeCloseTo(1, 2);
  });

  test.each<[string, unknown, number]>([
    ['characters of several bytes', 'é'.repeat(4), 5],
    ['an image', [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(1e6) } }], 1503],
    ['a document', [{ type: 'document', source: { type: 'base64', data: 'A'.repeat(1e6) } }], 1503],
    ['a result', [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'y'.repeat(400) }] }], 103],
  ])('%s', async (_name, content, tokens) => {
    expect(await about(content)).toBe(tokens);
  });

  test('of what is no request is its length, without what may be an image', async () => {
    const messages = ['x'.repeat(3_980), { content: 'A'.repeat(1e6) }];
    expect(await about('', { messages })).toBeCloseTo(1_000 + 25_000, -2);
    expect(await about('', { messages: [null, 7, { content: [null] }], tools: 'x', system: 7 })).toBeGreaterThan(0);
  });
});

describe('the list of models', () => {
  test.each(['/v1/models?limit=1000', '/v1/v1/models', '/anthropic/v1/models'])('at %s', async (path) => {
    const list = (await (await get(path)).json()) as Json;
    expect(list).toMatchObject({ has_more: false, first_id: 'main' });
    const ids = (list.data as Json[]).map(({ id }) => id as string);
    expect(ids).toEqual(expect.arrayContaining(['main', 'main:m-1', 'claude/main', 'claude/main:m-1']));
    expect(list.data[0]).toEqual({ type: 'model', id: 'main', display_name: 'main', created_at: expect.any(String) });
  });

  test('one of them, also by the name that programs show', async () => {
    expect(await (await get('/v1/models/claude/main:m-1')).json()).toMatchObject({ display_name: 'main:m-1' });
    const missing = await get('/v1/models/nobody');
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { type: 'not_found_error' } }]);
  });

  test('other clients get theirs', async () => {
    expect(await (await get('/v1/models', {})).json()).toMatchObject({ object: 'list' });
  });
});

describe('a name', () => {
  const answerer = async (model: string | undefined) => {
    const { status, headers, text } = await askMessage(gateway, {
      model,
      script: [{ echo: 'request' }, { type: 'finish', reason: 'stop' }],
    });
    const { content } = JSON.parse(text) as Json;
    const said = content?.[0].text as string | undefined;
    const asked = said?.startsWith('{') ? ((JSON.parse(said) as Json).model as string) : undefined;
    return [status, headers.get('x-drivebay-provider'), asked];
  };

  test.each<[string | undefined, string, string | undefined]>([
    ['plain', 'plain', 'p-1'],
    ['plain:x', 'plain', 'x'],
    ['plain/x', 'plain', 'x'],
    ['claude/plain:x', 'plain', 'x'],
    ['claude/plain', 'plain', 'p-1'],
    [undefined, 'main', 'm-1'],
    ['anything', 'main', 'anything'],
    ['claude-haiku-4-5', 'main', 'm-1'],
    ['claude-counted', 'counts', undefined],
  ])('%s goes to %s with model %s', async (requested, provider, model) => {
    expect(await answerer(requested)).toEqual([200, provider, model]);
  });
});

test('programs find something at the base URL', async () => {
  expect((await fetch(gateway.url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(gateway.url)).status).toBe(404);
});
