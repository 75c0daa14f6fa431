import type { RunningGateway } from '../../setup/running-gateway';
import { logged, PROVIDERS, useScripted } from '../scripted-driver';
import type { Json } from '../wire';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `${PROVIDERS}clients: [{ name: one, api_key_env: ONE_KEY, max_concurrency: 1, requests_per_minute: 1 }]\n`,
    env: { ONE_KEY: 'key-of-the-only-client' },
  }),
);

const post = (path: string, fields: Json, signal?: AbortSignal) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-the-only-client' },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hi' }], input: 'Hi', ...fields }),
    signal,
  });

test('a client that has all its requests running, and no more for this minute, still counts tokens', async () => {
  const leave = new AbortController();
  const running = post('/v1/chat/completions', { script: [{ hang: true }] }, leave.signal).catch(() => undefined);
  await logged(gateway, 'turn started', {});
  // Claude Code asks for the parts of a conversation one by one, and all at once.
  const counts = await Promise.all(Array.from({ length: 40 }, () => post('/v1/messages/count_tokens', {})));
  expect(new Set(counts.map(({ status }) => status))).toEqual(new Set([200]));
  leave.abort();
  await running;
});
