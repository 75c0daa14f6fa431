import express from 'express';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { staticFiles } from '../../core/serving/static-files';
import { sendRaw } from '../gateway/wire';
import { TempHome } from '../setup/temp-home';

const home = new TempHome();
const SCRIPT = 'console.log("the page");\n'.repeat(50);
let server: Server;

beforeAll(async () => {
  home.write('dist/index.html', '<!doctype html><title>x</title>');
  const script = home.write('dist/js/app-1a2b.js', SCRIPT);
  home.write('secret.txt', 'must not be read');
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  server = createServer(express().use(staticFiles(`${home.directory}/dist`)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  home.remove();
});

const port = () => (server.address() as AddressInfo).port;
const get = (path: string, ...headers: string[]) =>
  sendRaw(port(), [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers]);

test('a file has its type and is uncompressed for a client that does not take it compressed', async () => {
  for (const path of ['/', '/index.html']) {
    const page = await get(path);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  }
  const { headers, text } = await get('/js/app-1a2b.js');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
    'cache-control': 'no-cache',
  });
  expect([headers['content-encoding'], text]).toEqual([undefined, SCRIPT]);
});

test.each(['gzip', 'br, gzip;q=0.5', 'deflate , GZIP'])(
  'Accept-Encoding %s gets the file that the build compressed',
  async (value) => {
    const answer = await fetch(`http://127.0.0.1:${port()}/js/app-1a2b.js`, { headers: { 'accept-encoding': value } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(Number(answer.headers.get('content-length'))).toBe(gzipSync(SCRIPT).length);
    expect(await answer.text()).toBe(SCRIPT);
  },
);

test.each([
  ['br', '/js/app-1a2b.js'],
  ['gzip;q=0', '/js/app-1a2b.js'],
  ['gzip; q=0.0', '/js/app-1a2b.js'],
  ['gzipped', '/js/app-1a2b.js'],
  ['gzip', '/index.html'],
])('Accept-Encoding %s gets %s uncompressed', async (value, path) => {
  const { status, headers } = await get(path, `Accept-Encoding: ${value}`);
  expect([status, headers['content-encoding']]).toEqual([200, undefined]);
});

test.each([[], ['Accept-Encoding: gzip']])('a client that has the file gets 304 (%p)', async (...encoding) => {
  const { etag } = (await get('/js/app-1a2b.js', ...encoding)).headers;
  for (const known of [etag, `"x", ${etag}`]) {
    const answer = await get('/js/app-1a2b.js', `If-None-Match: ${known}`, ...encoding);
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get('/js/app-1a2b.js', 'If-None-Match: "x"', ...encoding)).status).toBe(200);
});

test.each([
  '/../secret.txt',
  '/js/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '//etc/passwd',
  '/js',
  '/js/',
  '/index.html/',
  '/js/app-1a2b.js.gz',
  '/constructor',
])('%s leads nowhere', async (path) => {
  for (const encoding of ['identity', 'gzip']) {
    expect((await get(path, `Accept-Encoding: ${encoding}`)).status).toBe(404);
  }
});
