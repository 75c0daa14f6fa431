import { PROVIDERS, text, stop, useScripted } from '../../gateway/scripted-driver';
import type { RunningGateway } from '../../setup/running-gateway';
import { readPage } from './read-page';

const KEYS = { EDITOR_KEY: 'key-of-the-editor-1', OWNER_KEY: 'key-of-the-owner-1', HASTY_KEY: 'key-of-the-hasty-1' };
const USAGE = { type: 'usage', inputTokens: 30, outputTokens: 11 };
let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `${PROVIDERS.replace('default_model: p-1', 'default_model: p-1, cost_per_token: 0.5')}clients:
  - { name: editor, api_key_env: EDITOR_KEY, allow: [plain] }
  - { name: hasty, api_key_env: HASTY_KEY, requests_per_minute: 1 }
`,
    words: ['--metrics', '--api-key-env', 'OWNER_KEY'],
    env: KEYS,
  }),
);

async function ask(key: string, model: string): Promise<number> {
  const script = [text('x'), USAGE, stop];
  const response = await gateway.chat({ model, script }, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response.status;
}

test('requests, tokens and cost are counted by the client of the configuration; nobody else makes a series', async () => {
  expect(await ask(KEYS.EDITOR_KEY, 'plain')).toBe(200);
  expect(await ask(KEYS.OWNER_KEY, 'plain')).toBe(200);
  expect(await ask(KEYS.EDITOR_KEY, 'main')).toBe(403);
  expect(await ask('a-key-of-nobody', 'plain')).toBe(401);
  const page = await readPage(gateway.url, { authorization: `Bearer ${KEYS.OWNER_KEY}` });
  const [dialect, client, use] = ['chat-completions', 'editor', { provider: 'plain', model: 'p-1' }];
  expect(page.value('drivebay_requests_total', { dialect, client, ...use, status: '200' })).toBe(1);
  expect(page.value('drivebay_requests_total', { dialect, ...use, status: '200' })).toBe(1);
  // It found no provider, so nothing that the client sent is a label.
  expect(page.value('drivebay_requests_total', { dialect, client, status: '403' })).toBe(1);
  expect(page.value('drivebay_turned_away_total', { client, reason: 'allow' })).toBe(1);
  expect(page.value('drivebay_tokens_total', { ...use, client, type: 'output' })).toBe(11);
  expect(page.value('drivebay_cost_usd_total', { ...use, client })).toBeCloseTo(20.5);
  expect(page.value('drivebay_cost_usd_total', use)).toBeCloseTo(20.5);
  const clients = page.labelsOf('drivebay_requests_total').flatMap(({ client: name }) => name ?? []);
  expect(new Set(clients)).toEqual(new Set([client]));
  // Turned away at the door: that is a line of the log.
  expect(page.labelsOf('drivebay_requests_total').map(({ status }) => status)).not.toContain('401');
});

test('a request over the limit of a client itself is no failure of the provider that it wanted', async () => {
  expect([await ask(KEYS.HASTY_KEY, 'plain'), await ask(KEYS.HASTY_KEY, 'plain')]).toEqual([200, 429]);
  const page = await readPage(gateway.url, { authorization: `Bearer ${KEYS.OWNER_KEY}` });
  const [dialect, client] = ['chat-completions', 'hasty'];
  expect(page.value('drivebay_requests_total', { dialect, client, status: '429' })).toBe(1);
  expect(page.value('drivebay_turned_away_total', { client, reason: 'requests' })).toBe(1);
  const failed = page.labelsOf('drivebay_requests_total').filter(({ status }) => status === '429');
  expect(failed.map(({ provider }) => provider)).toEqual([undefined]);
});
