import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { sendRaw } from '../gateway/wire';
import { AgentHome } from '../setup/agent-home';
import { DashboardClient } from './dashboard-client';

const home = new AgentHome();
const tokenFile = `${home.state}/dashboard.token`;
let client: DashboardClient;

beforeAll(async () => {
  client = await DashboardClient.open(home);
});

const errorOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

test('the token is in a file that only the user can read', () => {
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(tokenFile, 'utf8')).toBe(`${client.token}\n`);
  expect(client.token.length).toBeGreaterThanOrEqual(43);
});

describe('without the cookie', () => {
  test.each(['', 'index.html', 'app.js', 'nothing'])(
    'the page %p is 401, and says which command to run',
    async (path) => {
      const answer = await fetch(client.url + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
      const page = await answer.text();
      expect(page).toContain('<code>drivebay dashboard</code>');
      const [, styles = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
      expect((await fetch(new URL(styles, client.url))).status).toBe(200);
    },
  );

  test.each(['state', 'events', 'processes/1/events', 'usage', 'limits', 'tool-servers', 'nothing'])(
    'the API %s is 401 in JSON',
    async (path) => {
      const answer = await fetch(`${client.url}api/${path}`);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        error: { code: 'no_token', message: expect.any(String), hint: expect.stringContaining('drivebay dashboard') },
      });
    },
  );

  test.each([
    [`NAME=${'A'.repeat(43)}`, 401],
    ['NAME=', 401],
    ['NAME=BEGINNING', 401],
    ['token=TOKEN', 401],
    ['drivebay-0123456789ab=TOKEN', 401],
    ['a=b; NAME=TOKEN;c=d', 200],
    ['NAME=planted; NAME=TOKEN', 200],
    ['NAME=TOKEN; NAME=planted', 200],
  ])('only our cookie lets a browser in, beside whatever others have set: %p is %i', async (cookies, status) => {
    const { token } = client;
    const [name = ''] = client.cookie.split('=');
    const words: Record<string, string> = { NAME: name, TOKEN: token, BEGINNING: token.slice(0, -1) };
    const cookie = cookies.replace(/NAME|TOKEN|BEGINNING/g, (word) => words[word]!);
    expect((await client.get('api/state', { headers: { cookie } })).status).toBe(status);
  });
});

describe('the token in the address', () => {
  test('becomes a cookie that no script and no other site gets, and leaves the address', async () => {
    const { status, headers } = await fetch(`${client.url}?token=${client.token}`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/']);
    const cookie = headers.get('set-cookie')!.split('; ');
    expect(cookie.slice(1).sort()).toEqual(['HttpOnly', 'Path=/dashboard', 'SameSite=Strict']);
    const answer = await fetch(client.url.replace(/\/$/, `?token=${client.token}`), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, `/dashboard/?token=${client.token}`]);
  });

  test.each(['wrong', '', '%00', 'A'.repeat(43)])('%p is refused, and what to do said', async (token) => {
    const answer = await fetch(`${client.url}?token=${token}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('drivebay dashboard');
  });

  test('a ticket works once, but not for a program that looks at the address first; the token works always', async () => {
    const project = { workingDirectory: home.directory };
    const { text } = await home.call('POST', '/v1/dashboard', { project });
    const { ticket, token, url } = JSON.parse(text) as { ticket: string; token: string; url: string };
    expect([url, token]).toEqual([client.url, client.token]);
    const open = async (word: string, method = 'GET') =>
      (await fetch(`${url}?token=${word}`, { method, redirect: 'manual' })).status;
    expect(await open(ticket, 'HEAD')).toBe(401);
    for (const [word, status] of [
      [ticket, 303],
      [ticket, 401],
      [token, 303],
      [token, 303],
    ] as const) {
      expect(await open(word)).toBe(status);
    }
  });

  test('a link that is used up leads a browser that was let in to the page, and sets nothing', async () => {
    const answer = await client.get('?token=used-up');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('a link of another page comes back by itself, for then the browser sends the cookie', async () => {
    const fromElsewhere = await fetch(client.url, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(await fromElsewhere.text()).toContain('content="0; url=/dashboard/"');
    const fromHere = await fetch(client.url, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(await fromHere.text()).not.toContain('http-equiv');
  });
});

// Only Linux tells the user of a connection, and only root may become another user.
(process.platform === 'linux' && process.getuid?.() === 0 ? describe : describe.skip)('another user', () => {
  const asker = `fetch(process.argv[1], { redirect: 'manual', headers: { cookie: process.argv[2] ?? '' } })
    .then((answer) => console.log(answer.status + ' ' + answer.headers.get('set-cookie')))`;
  // The system has a second table, for sockets of both IP versions.
  const byBoth = `const socket = require('node:net').connect({ host: '::ffff:127.0.0.1', port: process.argv[1] });
    socket.end('GET ' + process.argv[2] + ' HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n');
    socket.on('data', (bytes) => console.log(String(bytes).split(' ')[1]));`;
  const ask = async (code: string, ...words: string[]) => {
    const run = promisify(execFile);
    return (await run(process.execPath, ['-e', code, ...words], { uid: 54_321, gid: 54_321, cwd: '/' })).stdout.trim();
  };

  test('gets nothing for the ticket of the browser, and the ticket stays usable', async () => {
    const project = { workingDirectory: home.directory };
    const answer = await home.call('POST', '/v1/dashboard', { project });
    const { ticket, url } = JSON.parse(answer.text) as { ticket: string; url: string };
    expect(await ask(asker, `${url}?token=${ticket}`)).toBe('403 null');
    expect(await ask(byBoth, String(client.port), `/dashboard/?token=${ticket}`)).toBe('403');
    expect((await fetch(`${url}?token=${ticket}`, { redirect: 'manual' })).status).toBe(303);
  });

  test('has a connection with the same two ports at other addresses, which does not count', async () => {
    const sameAtOthers = `const net = require('node:net');
      const [port, localPort] = process.argv.slice(1).map(Number);
      const server = net.createServer().listen(port, '127.0.0.3', () =>
        net.connect({ host: '127.0.0.3', port, localAddress: '127.0.0.2', localPort }, () => console.log('there')));`;
    const browser = connect(client.port, '127.0.0.1');
    await once(browser, 'connect');
    const ports = [client.port, browser.localPort].map(String);
    const other = spawn(process.execPath, ['-e', sameAtOthers, ...ports], { uid: 54_321, gid: 54_321, cwd: '/' });
    try {
      await once(other.stdout, 'data');
      browser.end(`GET /dashboard/api/state HTTP/1.0\r\nHost: localhost\r\nCookie: ${client.cookie}\r\n\r\n`);
      expect(await text(browser)).toMatch(/^HTTP\/1.1 200 /);
    } finally {
      other.kill();
    }
  });

  test('gets nothing of the page and its API with the cookie', async () => {
    for (const path of ['', 'api/state']) expect(await ask(asker, client.url + path, client.cookie)).toBe('403 null');
  });
});

describe('where a request comes from', () => {
  const own = () => `http://127.0.0.1:${client.port}`;

  test.each([
    ['a foreign Host', 'Host: evil.example'],
    ['no Host', 'X-None: 1'],
  ])('%s is forbidden', async (_name, header) => {
    const head = ['GET /dashboard/api/state HTTP/1.1', 'Connection: close', header, `Cookie: ${client.cookie}`];
    const answer = await sendRaw(client.port, head);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('forbidden_host')]);
  });

  // Browsers send the cookie to, and from, every port of this machine.
  test.each([
    ...['http://evil.example', 'null', 'http://127.0.0.1:1'].map((origin) => ({ origin })),
    ...['same-site', 'cross-site'].map((site) => ({ 'sec-fetch-site': site })),
  ])('a page with %p gets nothing of the API', async (headers) => {
    const answer = await client.get('api/state', { headers });
    expect([answer.status, await errorOf(answer)]).toEqual([403, 'forbidden_origin']);
  });

  test.each([
    ['nothing', {}],
    ['a site only typed in', { 'sec-fetch-site': 'none' }],
    ['a foreign site', { 'sec-fetch-site': 'same-site' }],
  ])('a request to kill that says %s of its origin is forbidden', async (_name, headers) => {
    const answer = await client.kill(1, headers);
    expect([answer.status, await errorOf(answer)]).toEqual([403, 'forbidden_origin']);
  });

  test('a request to kill has to be JSON', async () => {
    const answer = await client.kill(1, { origin: own(), 'content-type': 'text/plain' });
    expect([answer.status, await errorOf(answer)]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([['origin'], ['sec-fetch-site']])('the page itself is let in by its %s', async (header) => {
    const answer = await client.kill(99, { [header]: header === 'origin' ? own() : 'same-origin' });
    expect([answer.status, await errorOf(answer)]).toEqual([404, 'no_process']);
  });
});

test('a new daemon has a new token, the old token is void, and the file goes with its daemon', async () => {
  await home.run('daemon', 'stop');
  expect(existsSync(tokenFile)).toBe(false);
  const next = await DashboardClient.open(home);
  expect(next.token).not.toBe(client.token);
  expect((await next.get('api/state', { headers: { cookie: client.cookie } })).status).toBe(401);
  expect((await fetch(`${next.url}?token=${client.token}`, { redirect: 'manual' })).status).toBe(401);
});
