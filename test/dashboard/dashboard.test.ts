import { controlRoutes } from '../../core/daemon/control/control-api';
import type { Operations } from '../../core/daemon/control/operations';
import { sendRaw } from '../gateway/wire';
import { DaemonHome } from '../setup/daemon-home';
import { RunningGateway } from '../setup/running-gateway';
import { DashboardClient } from './dashboard-client';

const home = new DaemonHome();
let client: DashboardClient;

beforeAll(async () => {
  client = await DashboardClient.open(home);
});

const errorOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

test.each([
  '',
  'page.js',
  '?token=wrong',
  'nothing',
  'api/state',
  'api/usage',
  'api/nothing',
  'api/processes/99/events',
])('the answer to %p forbids to run, embed, read or keep anything', async (path) => {
  for (const cookie of [client.cookie, '']) {
    const { status, headers } = await client.get(path, { headers: { cookie } });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    // Browsers may keep the files of the page, and ask each time whether they are still the same.
    const isFile = ['', 'page.js'].includes(path) && cookie !== '';
    expect(status === 200).toBe(isFile || (['api/state', 'api/usage'].includes(path) && cookie !== ''));
    expect(headers.get('cache-control')).toBe(isFile ? 'no-cache' : 'no-store');
    if (isFile) expect(headers.get('content-encoding')).toBe('gzip');
  }
});

test.each([
  ['POST', ''],
  ['PUT', 'api/state'],
  ['DELETE', 'api/processes/1/events'],
  ['GET', 'api/processes/1/kill'],
])('%s %p is no method of the dashboard', async (method, path) => {
  const answer = await client.get(path, { method, headers: { origin: new URL(client.url).origin } });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toMatch(/^(GET, HEAD|POST)$/);
});

/** The page has a list of models of its own. */
const PAGE = ['events', 'usage', 'limits', 'tool-servers', 'models'].map((name) => `GET /v1/${name}`);
const OF_PROCESS = ['GET /v1/processes/:id/events', 'POST /v1/processes/:id/kill'];

test.each(controlRoutes({} as Operations).map(({ method, path }) => [method.toUpperCase(), path]))(
  '%s %s of the control API is there for the page alone that needs it',
  async (method, path) => {
    const headers = { origin: new URL(client.url).origin, 'content-type': 'application/json' };
    const body = method === 'POST' ? '{}' : undefined;
    const answer = await client.get(path.replace('/v1', 'api').replace(':id', '99'), { method, headers, body });
    const code = answer.ok ? '' : await errorOf(answer);
    void answer.body?.cancel().catch(() => undefined);
    const route = `${method} ${path}`;
    if (PAGE.includes(route)) expect([answer.status, code]).not.toEqual([404, 'unknown_url']);
    else expect([answer.status, code]).toEqual([404, OF_PROCESS.includes(route) ? 'no_process' : 'unknown_url']);
  },
);

test('a connection of the page stays for its next request', async () => {
  const { headers } = await client.get('api/usage');
  expect(headers.get('connection')).toBe('keep-alive');
});

test.each([
  ...['', 'State', 'state/', 'state%00', 'state;x'].map((path) => [
    `/dashboard/api/${path}`,
    `no /dashboard/api/${path}"`,
  ]),
  ...['', 'x', '1/', '1/../2', '1e3'].map((path) => [`/dashboard/api/processes/${path}`, 'unknown_url']),
  ...['../v1/models', '%2e%2e/v1/models', '/api/state', 'api%2fstate', '..%2f..%2fdashboard.token'].map((path) => [
    `/dashboard/${path}`,
    'There is no such page',
  ]),
  ...['/v1/../dashboard/api/state', '/dashboard%2fapi%2fstate', '//dashboard/api/state', '/DASHBOARD/api/state'].map(
    (path) => [path, 'serves the dashboard only'],
  ),
])('%p leads nowhere: %s', async (path, text) => {
  const head = [`GET ${path} HTTP/1.1`, 'Connection: close', 'Host: localhost', `Cookie: ${client.cookie}`];
  const answer = await sendRaw(client.port, head);
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(text)]);
});

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a browser at the address itself gets a page that leads on, in place of JSON', async () => {
  const answer = await fetch(new URL('/', client.url), { headers: HTML });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const page = await answer.text();
  expect(page).toContain('<code>drivebay serve</code>');
  const links = [...page.matchAll(/<a href="([^"]+)">/g)].map(([, href]) => href);
  expect(links[0]).toBe('/dashboard/');
  expect(links.length).toBeGreaterThan(1);
  for (const link of links.slice(1)) {
    const found = await fetch(new URL(link!, client.url));
    expect([link, found.status, found.headers.get('content-type')]).toEqual([link, 200, 'text/plain; charset=utf-8']);
    expect(await found.text()).toMatch(/^# /);
  }
});

test.each(['nothing.md', 'README', '..%2fpackage.json', 'decisions%2f0005-the-house.md', 'README.md/'])(
  'the documentation has no %p',
  async (name) => {
    expect((await client.get(`docs/${name}`, { headers: { cookie: '' } })).status).toBeGreaterThan(400);
  },
);

describe('beside a gateway', () => {
  const other = new DaemonHome();
  let gateway: RunningGateway;

  beforeAll(async () => {
    gateway = await RunningGateway.start(
      ['--demo', '--api-key-env', 'INBOUND', '--allow-origin', 'http://localhost:3000'],
      { env: other.environment({ INBOUND: 'inbound-key-for-tests' }) },
    );
  });
  afterAll(() => gateway.stop());

  test('its key is not the dashboard’s, and the dashboard’s is not its key', async () => {
    const page = await DashboardClient.open(other);
    expect(page.port).toBe(gateway.port);
    expect((await page.get('api/state')).status).toBe(200);
    const headers = { authorization: 'Bearer inbound-key-for-tests' };
    expect((await fetch(`${page.url}api/state`, { headers })).status).toBe(401);
    expect((await fetch(`${gateway.url}/v1/models`, { headers: { cookie: page.cookie } })).status).toBe(401);
  });

  test('an origin that may use the gateway may not look', async () => {
    const page = await DashboardClient.open(other);
    const origin = 'http://localhost:3000';
    const answer = await page.get('api/state', { headers: { origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const headers = { origin, 'access-control-request-method': 'POST' };
    const asked = await page.get('api/processes/1/kill', { method: 'OPTIONS', headers });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    expect(asked.status).toBe(403);
  });

  test('its page for browsers has the base URL and needs no key; programs get JSON', async () => {
    const page = await (await fetch(gateway.url, { headers: HTML })).text();
    expect(page).toContain(`<code>${gateway.url}/v1</code>`);
    const headers = { authorization: 'Bearer inbound-key-for-tests' };
    const answer = await fetch(gateway.url, { headers });
    expect([answer.status, await errorOf(answer)]).toEqual([404, 'unknown_url']);
  });

  test('neighbours of its path belong to the gateway', async () => {
    const answer = await fetch(`${gateway.url}/dashboards`, {
      headers: { authorization: 'Bearer inbound-key-for-tests' },
    });
    expect([answer.status, await errorOf(answer)]).toEqual([404, 'unknown_url']);
  });
});
