import { TempHome } from '../../setup/temp-home';
import { RunningGateway } from '../../setup/running-gateway';
import { logged, startScripted, stop, text, useScripted } from '../scripted-driver';
import { errorOf } from '../wire';

const KEYS = {
  KEY_A: 'key-of-a-0123456789',
  KEY_B: 'key-of-b-0123456789',
  KEY_C: 'key-of-c-0123456789',
  KEY_D: 'key-of-d-0123456789',
};
const YAML = `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m, cost_per_token: 1, requests_per_minute: 1000 }
  - { name: broken, driver: scripted, default_model: m }
routes:
  - { name: both, targets: [broken, main] }
clients:
  - { name: a, api_key_env: KEY_A, requests_per_minute: 3 }
  - { name: b, api_key_env: KEY_B, budget_usd: { day: 4 } }
  - { name: c, api_key_env: KEY_C, max_concurrency: 1 }
  - { name: d, api_key_env: KEY_D }
`;

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML, env: KEYS }),
);

const as = (key: keyof typeof KEYS) => ({ headers: { authorization: `Bearer ${KEYS[key]}` } });
const used = (inputTokens: number) => [text('x'), { type: 'usage', inputTokens, outputTokens: 0 }, stop];
const limitHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => name.includes('ratelimit'));

test('a client over its limit is refused, and another one is not', async () => {
  const first = await gateway.chat({ model: 'main' }, as('KEY_A'));
  expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '2']);
  // A request that is wrong counts for nothing, and one through a route counts once.
  expect((await gateway.chat({ model: 'nobody' }, as('KEY_A'))).status).toBe(404);
  const script = [{ fail: ['unreachable', 'gone'] }];
  const failed = await gateway.chat({ model: 'both', script }, as('KEY_A'));
  expect([failed.status, failed.headers.get('x-ratelimit-remaining-requests')]).toEqual([502, '1']);
  expect((await gateway.chat({ model: 'main' }, as('KEY_A'))).status).toBe(200);
  const refused = await gateway.chat({ model: 'both' }, as('KEY_A'));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'rate_limit_exceeded',
    type: 'rate_limit_error',
    message: expect.stringMatching(/^the limit of 3 requests per minute is reached .*; try again in \d+ s$/),
  });
  expect((await gateway.chat({ model: 'main' }, as('KEY_D'))).status).toBe(200);
});

test('without limits of its own a client learns nothing of those of a provider', async () => {
  expect(limitHeaders(await gateway.chat({ model: 'main' }, as('KEY_D')))).toEqual([]);
});

test('a budget of a client is spent by every provider, and every dialect reports it', async () => {
  expect((await gateway.chat({ model: 'both', max_tokens: 1, script: used(4) }, as('KEY_B'))).status).toBe(200);
  const refused = await gateway.chat({ model: 'main' }, as('KEY_B'));
  expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false']);
  expect(errorOf(await refused.text())).toMatchObject({ code: 'budget_exceeded', type: 'insufficient_quota' });
  const postTo = (path: string, body: object) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEYS.KEY_B, authorization: `Bearer ${KEYS.KEY_B}` },
      body: JSON.stringify({ model: 'main', ...body }),
    });
  const message = await postTo('/v1/messages', { max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] });
  expect([message.status, message.headers.get('x-should-retry')]).toEqual([429, 'false']);
  const response = await postTo('/v1/responses', { input: 'Hello' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, null]);
  expect(await response.json()).toMatchObject({ error: { code: 'budget_exceeded', type: 'insufficient_quota' } });
});

test('requests over max_concurrency wait, and the one after sixteen is refused', async () => {
  const first = gateway.chat(
    { model: 'main', script: [{ say: 'c runs' }, { until: 'c' }, text('x'), stop] },
    as('KEY_C'),
  );
  await logged(gateway, 'c runs', {});
  const others = Array.from({ length: 17 }, () => gateway.chat({ model: 'main' }, as('KEY_C')));
  const refused = await Promise.race(others);
  expect(refused.status).toBe(429);
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'concurrency_limit',
    message: expect.stringContaining('the limit of this client'),
  });
  await gateway.chat({ model: 'main', script: [{ open: 'c' }, text('x'), stop] }, as('KEY_D'));
  expect((await first).status).toBe(200);
  const statuses = (await Promise.all(others)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(16).fill(200), 429]);
});

test('a restart does not refill what a client has used, and counts a request once, however many providers were asked', async () => {
  const home = new TempHome();
  let own = await startScripted(home, { yaml: YAML, env: KEYS });
  expect((await own.chat({ model: 'main', max_tokens: 1, script: used(4) }, as('KEY_B'))).status).toBe(200);
  const failing = [{ fail: ['unreachable', 'gone'] }];
  const failed = await own.chat({ model: 'both', script: failing }, as('KEY_A'));
  expect([failed.status, failed.headers.get('x-drivebay-attempts')]).toEqual([
    502,
    'broken=unreachable,main=unreachable',
  ]);
  await own.stop();
  own = await RunningGateway.start(['--log-format', 'json'], { env: home.environment(KEYS) });
  try {
    expect((await own.chat({ model: 'main' }, as('KEY_B'))).status).toBe(429);
    expect((await own.chat({ model: 'main' }, as('KEY_D'))).status).toBe(200);
    const next = await own.chat({ model: 'main' }, as('KEY_A'));
    expect(next.headers.get('x-ratelimit-remaining-requests')).toBe('1');
  } finally {
    await own.stop();
    home.remove();
  }
});
