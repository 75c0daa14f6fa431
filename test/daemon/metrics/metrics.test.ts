import { logged, PROVIDERS, startScripted, stop, text, useScripted } from '../../gateway/scripted-driver';
import type { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { until } from '../../setup/until';
import { readPage } from './read-page';

const USAGE = { type: 'usage', inputTokens: 30, outputTokens: 11, cachedInputTokens: 20 };
const yaml = `${PROVIDERS.replace('default_model: p-1', 'default_model: p-1, cost_per_token: 0.5')}
  - { name: narrow, driver: scripted, default_model: n-1, max_concurrency: 1 }
routes:
  - { name: either, targets: [plain, main] }
`;
let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml, words: ['--metrics'] }),
);

const ask = async (fields: Record<string, unknown>) => (await gateway.chat(fields)).text();
const page = () => readPage(gateway.url);

test('a request before the first reading of the page counts under the name of its model', async () => {
  await ask({ model: 'narrow', script: [{ fail: ['upstream', 'it broke'] }] });
  const found = await page();
  const labels = { provider: 'narrow', model: 'n-1', status: '502' };
  expect(found.value('drivebay_requests_total', { dialect: 'chat-completions', ...labels })).toBe(1);
  const call = { gen_ai_operation_name: 'chat', gen_ai_provider_name: 'scripted', gen_ai_request_model: 'n-1' };
  const failed = { ...call, drivebay_provider: 'narrow', error_type: 'upstream' };
  expect(found.value('gen_ai_client_operation_duration_seconds_count', failed)).toBe(1);
});

test('a request is counted by dialect, provider, model, route and status, with its durations', async () => {
  const before = await page();
  await ask({ model: 'main' });
  await ask({ model: 'main:big', stream: true, script: [text('a'), { pause: 50 }, text('b'), USAGE, stop] });
  await ask({ model: 'either', script: [{ fail: ['upstream', 'it broke'] }] });
  await ask({ model: 'main', temperature: 'hot' });
  const found = await page();
  const count = (name: string, labels: Record<string, string>) =>
    found.value(name, labels) - before.value(name, labels);
  const dialect = 'chat-completions';
  const requests = 'drivebay_requests_total';
  expect(count(requests, { dialect, provider: 'main', model: 'm-1', status: '200' })).toBe(1);
  expect(count(requests, { dialect, provider: 'main', model: 'big', status: '200' })).toBe(1);
  expect(count(requests, { dialect, provider: 'main', route: 'either', model: 'm-1', status: '502' })).toBe(1);
  expect(count(requests, { dialect, status: '400' })).toBe(1);
  const durations = 'drivebay_request_duration_seconds_count';
  expect(count(durations, { dialect, provider: 'main', model: 'big', status: '200' })).toBe(1);
  expect(count('drivebay_request_overhead_seconds_count', { dialect })).toBe(4);
  const call = { gen_ai_operation_name: 'chat', gen_ai_provider_name: 'scripted', drivebay_provider: 'main' };
  const big = { ...call, gen_ai_request_model: 'big' };
  expect(count('gen_ai_client_operation_duration_seconds_count', big)).toBe(1);
  expect(count('gen_ai_client_operation_time_to_first_chunk_seconds_count', big)).toBe(1);
  const perToken = 'gen_ai_server_time_per_output_token_seconds';
  expect(count(`${perToken}_count`, big)).toBe(1);
  // 50 ms for ten tokens after the first one.
  expect(count(`${perToken}_sum`, big)).toBeGreaterThanOrEqual(0.0045);
  const failed = { gen_ai_operation_name: 'chat', gen_ai_provider_name: 'plain', drivebay_provider: 'plain' };
  const failure = { ...failed, gen_ai_request_model: 'p-1', error_type: 'upstream' };
  expect(count('gen_ai_client_operation_duration_seconds_count', failure)).toBe(1);
  const attempt = { route: 'either', provider: 'plain', error_type: 'upstream' };
  expect(count('drivebay_failed_attempts_total', attempt)).toBe(1);
});

test('tokens and cost are counted as the ledger has them', async () => {
  const before = await page();
  await ask({ model: 'plain', script: [text('x'), USAGE, stop] });
  // The tokens of an answer that broke are paid for.
  await ask({ model: 'plain', stream: true, script: [USAGE, text('x'), { fail: ['upstream', 'it broke'] }] });
  const found = await page();
  const of = { provider: 'plain', model: 'p-1' };
  const tokens = (type: string) => {
    const labels = { ...of, type };
    return found.value('drivebay_tokens_total', labels) - before.value('drivebay_tokens_total', labels);
  };
  expect([tokens('input'), tokens('output'), tokens('cached')]).toEqual([60, 22, 40]);
  expect(found.value('drivebay_cost_usd_total', of) - before.value('drivebay_cost_usd_total', of)).toBeCloseTo(41);
  const usage = { gen_ai_operation_name: 'chat', gen_ai_provider_name: 'plain', drivebay_provider: 'plain' };
  const input = { ...usage, gen_ai_request_model: 'p-1', gen_ai_token_type: 'input' };
  expect(found.value('gen_ai_client_token_usage_sum', input)).toBeGreaterThanOrEqual(60);
});

test('what runs, waits and rests is told as it is now', async () => {
  const running = ask({ model: 'narrow', script: [{ say: 'runs now' }, { until: 'metrics' }, text('x'), stop] });
  await logged(gateway, 'runs now', {});
  const waiting = ask({ model: 'narrow' });
  const provider = 'narrow';
  let found = await page();
  // The second request is on its way.
  await until(async () => (found = await page()).value('drivebay_provider_waiting', { provider }) === 1);
  expect(found.value('drivebay_provider_running', { provider })).toBe(1);
  expect(found.value('drivebay_provider_waiting', { provider })).toBe(1);
  expect(found.value('drivebay_provider_limit', { provider })).toBe(1);
  expect(found.value('drivebay_requests_in_flight', {})).toBe(2);
  await ask({ model: 'main', script: [{ open: 'metrics' }, text('x'), stop] });
  await Promise.all([running, waiting]);
  await ask({ model: 'main', script: [{ fail: ['rate_limited', 'later', { retryAfterS: 60 }] }] });
  found = await page();
  expect(found.value('drivebay_requests_in_flight', {})).toBe(0);
  expect(found.value('drivebay_provider_rests', { provider: 'main' })).toBe(1);
  expect(found.value('drivebay_provider_up', { provider })).toBe(1);
  expect(found.value('process_memory_usage_bytes', {})).toBeGreaterThan(1e7);
  expect(found.has('nodejs_eventloop_delay_p99_seconds')).toBe(true);
});

test('a client cannot make series: models that no backend answered with are one, and so is everything above a limit', async () => {
  for (let n = 0; n < 130; n += 1) await ask({ model: `main:made-up-${n}` });
  for (let n = 0; n < 20; n += 1) await ask({ model: `main:refused-${n}`, script: [{ fail: ['rejected', 'no'] }] });
  const found = await page();
  const models = new Set(found.labelsOf('drivebay_tokens_total').map(({ model }) => model));
  expect(models.size).toBeLessThanOrEqual(110);
  expect(models).toContain('other');
  expect(found.text).not.toContain('refused-');
  const call = { gen_ai_operation_name: 'chat', gen_ai_provider_name: 'scripted', drivebay_provider: 'main' };
  const refused = { ...call, gen_ai_request_model: 'other', error_type: 'rejected' };
  expect(found.value('gen_ai_client_operation_duration_seconds_count', refused)).toBe(20);
  // The configuration's own names are never `other`.
  await ask({ model: 'narrow' });
  const own = { dialect: 'chat-completions', provider: 'narrow', model: 'n-1', status: '200' };
  expect((await page()).value('drivebay_requests_total', own)).toBeGreaterThan(0);
});

test('no page holds a prompt or an answer', async () => {
  await ask({
    model: 'main',
    messages: [{ role: 'user', content: 'a secret question' }],
    script: [text('told'), stop],
  });
  expect((await page()).text).not.toMatch(/secret question|told/);
});

test('without --metrics there is none, and with a key it wants the key', async () => {
  const home = new TempHome();
  const plain = await startScripted(home);
  const answer = await fetch(`${plain.url}/metrics`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('--metrics');
  expect(await plain.stop()).toBe(0);
  const words = ['--metrics', '--api-key-env', 'INBOUND_KEY'];
  const locked = await startScripted(home, { words, env: { INBOUND_KEY: 'the-key' } });
  expect((await fetch(`${locked.url}/metrics`)).status).toBe(401);
  const headers = { authorization: 'Bearer the-key' };
  const open = await fetch(`${locked.url}/metrics`, { headers });
  expect([open.status, open.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(await locked.stop()).toBe(0);
  home.remove();
});
