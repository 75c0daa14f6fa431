import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../../core/config/client-keys';
import type { RunningGateway } from '../../setup/running-gateway';
import type { TempHome } from '../../setup/temp-home';
import { logged, PROVIDERS, type Step, stop, text, useScripted } from '../scripted-driver';
import { errorOf, type Json } from '../wire';

const EDITOR = 'key-of-the-editor-1';
const CI = 'key-of-ci-made-by-hand';
const OWNER = 'key-of-the-owner-1';
const CLIENTS = `${PROVIDERS}clients:
  - { name: editor, api_key_env: EDITOR_KEY }
  - { name: ci, key_sha256: "${digestOf(CI).toString('hex')}" }
  - { name: mueller, key_sha256: "${digestOf('schlüssel-von-müller').toString('hex')}" }
  - { name: absent, api_key_env: ABSENT_KEY }
`;

let gateway: RunningGateway;
const home: TempHome = useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: CLIENTS,
    words: ['--api-key-env', 'OWNER_KEY', '--metrics'],
    env: { EDITOR_KEY: EDITOR, OWNER_KEY: OWNER },
  }),
);

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const POSTS: [string, object][] = [
  ['/v1/chat/completions', { model: 'main', messages: MESSAGES }],
  ['/v1/messages', { model: 'main', max_tokens: 9, messages: MESSAGES }],
  ['/v1/messages/count_tokens', { model: 'main', messages: MESSAGES }],
  ['/v1/responses', { model: 'main', input: 'Hello' }],
  ['/v1/responses/compact', { model: 'main', input: 'Hello' }],
  ['/v1/embeddings', { model: 'main', input: 'Hello' }],
];
const GETS = ['/v1/models', '/v1/models/main', '/v1/responses/resp_x', '/openapi.json', '/nothing'];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(gateway.url + path, { method, headers });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const ask = (key: string, fields: Json = {}) => gateway.chat({ model: 'main', ...fields }, { headers: bearer(key) });

describe('the door', () => {
  const code = async (response: Response) => {
    const body = await response.text();
    expect(body).not.toMatch(/editor|absent/);
    return [response.status, String((JSON.parse(body) as Json).error.code)];
  };

  test.each(POSTS)('of POST %s opens for no request without a known key', async (path, body) => {
    const tries: Record<string, string>[] = [{}, bearer('wrong'), bearer(''), { authorization: EDITOR }];
    for (const headers of [...tries, { 'x-api-key': `${EDITOR}x` }, { 'x-api-key': `${EDITOR}, ${EDITOR}` }])
      expect(await code(await post(path, body, headers))).toEqual([401, 'invalid_api_key']);
  });

  test.each(GETS)('nor that of GET %s', async (path) => {
    expect(await code(await get(path))).toEqual([401, 'invalid_api_key']);
    expect(await code(await get(path, bearer('wrong'), 'DELETE'))).toEqual([401, 'invalid_api_key']);
  });

  test('the key counts in a header only', async () => {
    for (const query of [`key=${EDITOR}`, `api_key=${EDITOR}`, `access_token=${EDITOR}`])
      expect(await code(await get(`/v1/models?${query}`))).toEqual([401, 'invalid_api_key']);
    expect(gateway.stderr).not.toContain(EDITOR);
  });

  test('/health needs no key', async () => {
    expect((await get('/health')).status).toBe(200);
  });

  test.each([
    ['authorization', `Bearer ${EDITOR}`],
    ['authorization', `bearer  ${CI} `],
    ['x-api-key', EDITOR],
    ['api-key', CI],
  ])('opens by %s: %s', async (name, value) => {
    // The driver makes no embeddings, which it says behind the door.
    for (const [path, body] of POSTS.filter(([each]) => name !== 'api-key' || !each.includes('messages')))
      expect((await post(path, body, { [name]: value })).status).toBe(path === '/v1/embeddings' ? 400 : 200);
    const statuses = await Promise.all(GETS.map(async (path) => (await get(path, { [name]: value })).status));
    expect(statuses).toEqual([200, 200, 404, 200, 404]);
  });

  test.each(['latin1', 'utf8'] as const)('takes a key with letters beyond ASCII, sent as %s', async (encoding) => {
    const key = Buffer.from('schlüssel-von-müller', encoding).toString('latin1');
    const found = [await get('/v1/models', bearer(key)), await get('/v1/models', { 'x-api-key': key })];
    expect(found.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get('/v1/models', bearer(`${key}x`))).status).toBe(401);
  });

  test('a client that sends a placeholder beside its key is let in', async () => {
    const headers = { ...bearer('unused'), 'x-api-key': EDITOR };
    expect((await post('/v1/messages', POSTS[1]![1], headers)).status).toBe(200);
  });
});

test('serve names the variables that are missing, and no key', async () => {
  await gateway.untilOutput(/client \\"absent\\" cannot ask: ABSENT_KEY is not set/);
  expect(gateway.stderr).not.toMatch(/EDITOR_KEY is not set/);
  for (const key of [EDITOR, CI, OWNER]) expect(gateway.stdout + gateway.stderr).not.toContain(key);
});

test.each([
  ['editor', EDITOR],
  ['ci', CI],
  [undefined, OWNER],
])('the log line and the call name the client: %s', async (client, key) => {
  const script = [{ echo: 'scope' }, stop];
  const response = await ask(key, { script });
  const body = (await response.json()) as Json;
  const asker = { type: 'gateway', dialect: 'chat-completions', ...(client && { client }) };
  expect(JSON.parse(String(body.choices[0].message.content))).toEqual(asker);
  const line = await logged(gateway, 'chat', { id: response.headers.get('x-request-id') });
  expect(line.client).toBe(client);
});

test('the metrics, which tell of others, are for the owner', async () => {
  const statuses = [EDITOR, CI, OWNER].map(async (key) => (await get('/metrics', bearer(key))).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
});

test('what fails for one client is not replayed for another', async () => {
  const script: Step[] = [{ fail: ['upstream', 'it broke', { sideEffects: true }] }];
  const replayed = async (key: string) =>
    (await ask(key, { model: 'agent', script })).headers.get('x-drivebay-replayed');
  expect(await replayed(EDITOR)).toBeNull();
  expect(await replayed(CI)).toBeNull();
  expect(await replayed(OWNER)).toBeNull();
  expect([await replayed(EDITOR), await replayed(CI), await replayed(OWNER)]).toEqual(['true', 'true', 'true']);
});

test('a stored response belongs to its client', async () => {
  const body = { model: 'main', input: 'Hello', script: [text('stored'), stop] };
  const { id } = (await (await post('/v1/responses', body, bearer(EDITOR))).json()) as Json;
  const path = `/v1/responses/${id}`;
  for (const key of [CI, OWNER]) {
    expect((await get(path, bearer(key))).status).toBe(404);
    expect((await get(path, bearer(key), 'DELETE')).status).toBe(404);
    const next = await post('/v1/responses', { ...body, previous_response_id: id }, bearer(key));
    expect(errorOf(await next.text()).code).toBe('previous_response_not_found');
  }
  expect((await post('/v1/responses', { ...body, previous_response_id: id }, bearer(EDITOR))).status).toBe(200);
  expect(((await (await get(path, bearer(EDITOR))).json()) as Json).id).toBe(id);
  expect((await get(path, bearer(EDITOR), 'DELETE')).status).toBe(200);
  expect((await get(path, bearer(EDITOR))).status).toBe(404);
});

// Last: it ends the gateway.
test('the ledger has the client', async () => {
  await (await ask(EDITOR, { model: 'plain' })).text();
  await (await ask(OWNER, { model: 'plain' })).text();
  await gateway.stop();
  const folder = join(home.directory, '.local/state/drivebay/usage');
  const lines = readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Json);
  expect(lines.filter(({ provider }) => provider === 'plain').map(({ client }) => client as unknown)).toEqual([
    'editor',
    undefined,
  ]);
});
