import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { startScripted, stop, text, useScripted } from './scripted-driver';
import { errorOf, type Json } from './wire';

const YAML = `version: "1"
providers:
  - { name: three, driver: scripted, default_model: m, requests_per_minute: 3 }
  - { name: many, driver: scripted, default_model: m, requests_per_minute: 60 }
  - { name: tokens, driver: scripted, default_model: m, tokens_per_minute: 10 }
  - { name: rich, driver: scripted, default_model: m, cost_per_token: 0.1, budget_usd: { day: 2, month: 100 } }
  - { name: long, driver: scripted, default_model: m, cost_per_token: 0.1, budget_usd: { day: 4 } }
  - { name: wires, driver: scripted, default_model: m, requests_per_minute: 1 }
  - { name: spent, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { day: 2 } }
  - { name: first, driver: scripted, default_model: f, requests_per_minute: 1 }
  - { name: second, driver: scripted, default_model: s }
  - { name: only, driver: scripted, default_model: o, requests_per_minute: 1 }
  - { name: lasts, driver: scripted, default_model: l, requests_per_minute: 5, cost_per_token: 1, budget_usd: { month: 4 } }
routes:
  - { name: both, targets: [first, second] }
  - { name: one, targets: [only] }
`;

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML }),
);

const limitHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.includes('ratelimit')));

function postTo(path: string, body: Json): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const used = (inputTokens: number) => [text('x'), { type: 'usage', inputTokens, outputTokens: 0 }, stop];

test('of 200 requests at once exactly those below the limit are answered', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => gateway.chat({ model: 'many' })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(140);
});

test('an answer says what is left of the minute, and the refusal says when to come again', async () => {
  const first = await gateway.chat({ model: 'three' });
  expect(limitHeaders(first)).toEqual({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '2',
    'x-ratelimit-reset-requests': expect.stringMatching(/^(1m0s|59s)$/),
  });
  await gateway.chat({ model: 'three', stream: true }).then((answer) => answer.text());
  await gateway.chat({ model: 'three' });
  const refused = await gateway.chat({ model: 'three' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  expect(refused.headers.get('x-should-retry')).toBeNull();
  expect(limitHeaders(refused)).toMatchObject({ 'x-ratelimit-remaining-requests': '0' });
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'rate_limit_exceeded',
    type: 'rate_limit_error',
    message:
      'provider "three": the limit of 3 requests per minute is reached (requests_per_minute of provider "three")',
    details: { kind: 'rate_limit_exceeded', provider: 'three', hint: expect.stringMatching(/^try again in \d+ s$/) },
  });
});

test('without a limit an answer has none of these headers', async () => {
  expect(limitHeaders(await gateway.chat({ model: 'second' }))).toEqual({});
});

test('tokens count when the backend has reported them', async () => {
  expect((await gateway.chat({ model: 'tokens', script: used(9) })).status).toBe(200);
  const last = await gateway.chat({ model: 'tokens', script: used(500) });
  expect(limitHeaders(last)).toMatchObject({
    'x-ratelimit-limit-tokens': '10',
    'x-ratelimit-remaining-tokens': '1',
  });
  const refused = await gateway.chat({ model: 'tokens' });
  expect(errorOf(await refused.text())).toMatchObject({ code: 'rate_limit_exceeded' });
});

test('50 requests at once overspend a budget by at most the cost of one', async () => {
  // Each may cost 1.2 USD, and does.
  const ask = () =>
    gateway.chat({ model: 'rich', max_tokens: 10, messages: [{ role: 'user', content: '' }], script: used(12) });
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  const let_in = answers.filter(({ status }) => status === 200);
  expect(let_in.length).toBeGreaterThan(0);
  expect(let_in.length * 1.2).toBeLessThanOrEqual(2 + 1.2);
});

test('so do requests to a backend that has passed their upper bound once', async () => {
  // Each may cost 0.1 USD, and costs 1.
  const ask = () =>
    gateway.chat({ model: 'long', max_tokens: 1, messages: [{ role: 'user', content: '' }], script: used(10) });
  expect((await ask()).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 50 }, ask));
  const let_in = answers.filter(({ status }) => status === 200).length;
  expect(let_in).toBeGreaterThan(0);
  expect(1 + let_in).toBeLessThanOrEqual(4 + 1);
});

test('a budget that is spent is told as a quota at its end, which no repetition helps', async () => {
  await gateway.chat({ model: 'spent', script: used(2) });
  const refused = await gateway.chat({ model: 'spent' });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'budget_exceeded',
    type: 'insufficient_quota',
    message: 'provider "spent": the budget of 2 USD for this day is spent (budget_usd.day of provider "spent")',
    details: {
      hint: expect.stringMatching(
        /^it begins again tomorrow; to continue earlier, raise it: \/\S+\/providers\.yaml:9:\d+$/,
      ),
    },
  });
});

test('every dialect tells it in its own words', async () => {
  const user = { role: 'user', content: 'Hello' };
  const answered = await postTo('/v1/messages', { model: 'wires', max_tokens: 5, messages: [user] });
  expect(limitHeaders(answered)).toEqual({
    'anthropic-ratelimit-requests-limit': '1',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  const message = await postTo('/v1/messages', { model: 'wires', max_tokens: 5, messages: [user] });
  expect(message.status).toBe(429);
  expect(await message.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  const response = await postTo('/v1/responses', { model: 'wires', input: 'Hello' });
  expect(response.status).toBe(429);
  expect(limitHeaders(response)).toMatchObject({ 'x-ratelimit-limit-requests': '1' });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' } });
  const spent = await postTo('/v1/responses', { model: 'spent', input: 'Hello' });
  // With a time to wait, clients of this wire would hang until tomorrow.
  expect([spent.status, spent.headers.get('retry-after')]).toEqual([429, null]);
  expect(await spent.json()).toMatchObject({ error: { code: 'budget_exceeded', type: 'insufficient_quota' } });
});

test('a target over its limit rests, and the route asks the next one', async () => {
  expect((await gateway.chat({ model: 'both' })).headers.get('x-drivebay-provider')).toBe('first');
  const second = await gateway.chat({ model: 'both' });
  expect([second.status, second.headers.get('x-drivebay-provider')]).toEqual([200, 'second']);
  // It was not asked in vain.
  expect(second.headers.get('x-drivebay-attempts')).toBeNull();
  const models = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: Json[] };
  expect(models.data.find(({ id }) => id === 'first')).toMatchObject({ rests_after: 'rate_limit_exceeded' });
});

test('a route whose targets are all over their limits tells that, and no failure of a backend', async () => {
  await gateway.chat({ model: 'one' });
  const refused = await gateway.chat({ model: 'one' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'rate_limit_exceeded',
    details: { attempts: [{ provider: 'only', kind: 'rate_limit_exceeded' }] },
  });
});

test('a restart refills neither a minute nor a budget', async () => {
  const home = new TempHome();
  let own = await startScripted(home, { yaml: YAML });
  expect((await own.chat({ model: 'lasts', script: used(3) })).status).toBe(200);
  await own.stop();
  own = await RunningGateway.start(['--log-format', 'json'], { env: home.environment() });
  try {
    const answer = await own.chat({ model: 'lasts', script: used(1) });
    expect([answer.status, answer.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '3']);
    expect(errorOf(await (await own.chat({ model: 'lasts' })).text())).toMatchObject({ code: 'budget_exceeded' });
  } finally {
    await own.stop();
    home.remove();
  }
});
