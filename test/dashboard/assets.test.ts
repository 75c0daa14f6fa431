import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Assets } from '../../core/dashboard/assets';
import { sendRaw } from '../gateway/wire';
import { TempHome } from '../setup/temp-home';

const home = new TempHome();
const SCRIPT = 'console.log("the page");\n'.repeat(50);
let server: Server;

beforeAll(async () => {
  home.write('dist/index.html', '<!doctype html><title>x</title>');
  const script = home.write('dist/js/app-1a2b.js', SCRIPT);
  home.write('dist/notes.map', '{}');
  home.write('secret.txt', 'not to be read');
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  const assets = new Assets(`${home.directory}/dist`);
  server = createServer((request, response) => {
    if (!assets.send(request, response, request.url!.slice(1))) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  home.remove();
});

const port = () => (server.address() as AddressInfo).port;
const get = (path: string, ...headers: string[]) =>
  sendRaw(port(), [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers]);

test('a file is sent with its type, and as it is to those who do not take it compressed', async () => {
  const page = await get('/index.html');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const script = await get('/js/app-1a2b.js');
  expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', vary: 'Accept-Encoding' });
  expect(script.headers).not.toHaveProperty('content-encoding');
  expect(script.text).toBe(SCRIPT);
});

test.each(['gzip', 'br, gzip;q=0.5', 'deflate , GZIP'])(
  'Accept-Encoding %s gets what the build compressed',
  async (value) => {
    const answer = await fetch(`http://127.0.0.1:${port()}/js/app-1a2b.js`, { headers: { 'accept-encoding': value } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Number(answer.headers.get('content-length'))).toBe(gzipSync(SCRIPT).length);
    expect(await answer.text()).toBe(SCRIPT);
  },
);

test.each(['br', 'gzip;q=0', 'gzip; q=0.0', 'gzipped'])('Accept-Encoding %s gets it plain', async (value) => {
  expect((await get('/js/app-1a2b.js', `Accept-Encoding: ${value}`)).headers).not.toHaveProperty('content-encoding');
});

test('who has a file already is told so, in whatever form it has it', async () => {
  const { etag } = (await get('/index.html')).headers;
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const answer = await get('/index.html', `If-None-Match: ${known}`);
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get('/index.html', 'If-None-Match: "x"')).status).toBe(200);
  expect((await get('/js/app-1a2b.js')).headers.etag).not.toBe(etag);
});

test('HEAD says how long it is, and sends nothing', async () => {
  const answer = await sendRaw(port(), ['HEAD /js/app-1a2b.js HTTP/1.1', 'Host: x', 'Connection: close']);
  expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, String(SCRIPT.length), '']);
});

test.each([
  '/../secret.txt',
  '/js/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '//etc/passwd',
  '/js',
  '/js/',
  '/',
  '/index.html/',
  '/notes.map',
  '/js/app-1a2b.js.gz',
  '/constructor',
])('%s leads nowhere', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('a folder that is not there is a page that was not built', () => {
  expect(new Assets(`${home.directory}/nothing`).isBuilt).toBe(false);
  expect(new Assets(`${home.directory}/dist`).isBuilt).toBe(true);
});
