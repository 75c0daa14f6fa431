import { gzipSync } from 'node:zlib';
import type { RunningGateway } from '../setup/running-gateway';
import type { Upstream } from '../setup/upstream';
import { logged, logLines, PROVIDERS, useScripted, useUpstream } from './scripted-driver';
import { errorOf, RawConnection, sendRaw } from './wire';

const KEY = 'key-of-the-only-client';
let gateway: RunningGateway;
let outside: Upstream;
useUpstream((started) => (outside = started));
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: `${PROVIDERS}clients: [{ name: one, api_key_env: ONE_KEY }]\n`, env: { ONE_KEY: KEY } }),
);

const DOORS = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings'];
const OWN = ['Host: localhost', `Authorization: Bearer ${KEY}`];
const JSON_TYPE = 'Content-Type: application/json';
/** It would unpack to ten times what a body may have. */
const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '), { level: 1 });
const HELLO = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hi' }] });

const chat = (body: string, headers: string[] = []) =>
  sendRaw(
    gateway.port,
    [
      'POST /v1/chat/completions HTTP/1.1',
      'Connection: close',
      ...OWN,
      JSON_TYPE,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].concat(headers),
    body,
  );
const send = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, ...headers },
    body,
  });

/** Sends bytes, and reads until the gateway closes the connection. */
async function bytes(data: string): Promise<string> {
  const connection = await RawConnection.open(gateway.port);
  connection.write(Buffer.from(data, 'latin1'));
  await connection.closed;
  return connection.received;
}

const HEAD = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n${JSON_TYPE}\r\n`;
const SMUGGLED = `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;

test.each([
  ['a length with a sign', `${HEAD}Content-Length: +5\r\n\r\nhello${SMUGGLED}`],
  ['a length in two parts', `${HEAD}Content-Length: 5, 6\r\n\r\nhello${SMUGGLED}`],
  ['an encoding of another name', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunks that are not last', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a chunk of a wild size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${SMUGGLED}`],
  ['a space before the colon', `${HEAD}Content-Length : 5\r\n\r\nhello${SMUGGLED}`],
  ['a folded header', `${HEAD}X-A: b\r\n Content-Length: 5\r\n\r\nhello${SMUGGLED}`],
  ['a zero byte in a header', `${HEAD}X-A: b\0c\r\n\r\n${SMUGGLED}`],
  ['HTTP of another version', `GET /v1/models HTTP/3.7\r\nHost: localhost\r\n\r\n${SMUGGLED}`],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`],
])('a request behind %s is never answered', async (_name, data) => {
  const received = await bytes(data);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1);
  expect(received).toMatch(/^HTTP\/1\.1 400/);
  expect(received).not.toContain('"object":"list"');
});

test('a request in the body of one that is refused is a body', async () => {
  const body = SMUGGLED.repeat(3);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nConnection: close\r\n`;
  const received = await bytes(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

test.each([
  ['X-Forwarded-Host: localhost', 'Host: evil.example'],
  ['Forwarded: host=localhost', 'Host: evil.example'],
  ['X-Original-Host: localhost', 'Host: evil.example'],
])('%s does not stand for the Host', async (forwarded, host) => {
  const head = ['GET /v1/models HTTP/1.1', 'Connection: close', host, forwarded, `Authorization: Bearer ${KEY}`];
  const answer = await sendRaw(gateway.port, head);
  expect([answer.status, errorOf(answer.text).code]).toEqual([403, 'forbidden_host']);
});

test('the address of a proxy request counts as its Host', async () => {
  const answer = await sendRaw(gateway.port, [
    'GET http://evil.example/v1/models HTTP/1.1',
    'Connection: close',
    ...OWN,
  ]);
  expect(errorOf(answer.text).code).toBe('forbidden_host');
});

test.each([
  ['/health/../v1/models'],
  ['//v1/models'],
  ['/v1/./models'],
  ['/v1/%6dodels'],
  ['/v1/models;x=/health'],
  ['/v1/models%2f..%2f..%2fhealth'],
  ['/health%00/v1/models'],
  ['/health?/../v1/models/../../metrics'],
  ['/metrics'],
  ['/dashboard/../v1/models'],
  ['/mcp'],
])('%s without a key shows nothing that has one', async (path) => {
  const answer = await sendRaw(gateway.port, [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']);
  if (path.startsWith('/health?')) expect(answer.text).toBe('{"status":"ok","providers":3}');
  else expect([401, 404]).toContain(answer.status);
  expect(answer.text).not.toMatch(/m-1|process_|# HELP/);
});

test.each(['TRACE', 'PROPFIND', 'PATCH', 'PUT'])(
  '%s runs nothing, and does not send the request back',
  async (method) => {
    const head = [`${method} /v1/chat/completions HTTP/1.1`, 'Connection: close', ...OWN, 'X-Secret: do-not-echo'];
    const answer = await sendRaw(gateway.port, [...head, 'X-HTTP-Method-Override: POST', 'Content-Length: 0']);
    expect([405, 404]).toContain(answer.status);
    expect(answer.raw).not.toContain('do-not-echo');
  },
);

test('no request becomes a web socket, or HTTP/2', async () => {
  for (const upgrade of ['websocket', 'h2c']) {
    const head = ['GET /v1/models HTTP/1.1', 'Connection: Upgrade, close', `Upgrade: ${upgrade}`, ...OWN];
    expect((await sendRaw(gateway.port, [...head, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='])).status).toBe(200);
  }
});

test.each(DOORS)('a compressed body is refused at %s before it is unpacked', async (path) => {
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
    const response = await send(path, bomb, { 'content-encoding': encoding });
    expect([response.status, await response.text()]).toEqual([415, expect.stringContaining('Content-Encoding')]);
  }
});

test.each(DOORS)('a million brackets at %s are a 400, and no overflow', async (path) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = open.repeat(500_000) + '1' + close.repeat(500_000);
    const response = await send(path, `{"model":"main","messages":[],"input":"x","max_tokens":1,"x":${nested}}`);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toMatch(/call stack|\.js:/);
  }
});

test('fields named after prototypes change nothing of later requests', async () => {
  const evil = '"__proto__":{"stream":true,"model":"agent","polluted":1},"constructor":{"prototype":{"polluted":1}}';
  for (const path of DOORS) {
    const response = await send(path, `{"model":"main","input":"x","max_tokens":9,${evil},${HELLO.slice(1)}`);
    expect(response.status).toBeLessThan(500);
    await response.text();
  }
  const answer = await send(
    '/v1/chat/completions',
    JSON.stringify({ ...JSON.parse(HELLO), script: [{ echo: 'request' }] }),
  );
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.text()).not.toContain('polluted');
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'main:__proto__', '__proto__:main'])(
  'the model %s is a name as any other',
  async (model) => {
    for (const path of DOORS) {
      const response = await send(path, JSON.stringify({ ...JSON.parse(HELLO), input: 'x', max_tokens: 9, model }));
      expect(response.status).toBeLessThan(500);
      await response.text();
    }
    const found = await fetch(`${gateway.url}/v1/models/${model}`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(found.status).toBeLessThan(500);
  },
);

test('a thousand connections that never end their head keep no client out', async () => {
  const slow = await Promise.all(Array.from({ length: 1_000 }, () => RawConnection.open(gateway.port)));
  for (const connection of slow) connection.write('POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX-A: ');
  expect((await chat(HELLO)).status).toBe(200);
  for (const connection of slow) connection.socket.destroy();
});

test('a thousand headers hide none behind them, and a name of a header of 10 kB does no harm', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `x${index}: 1`);
  expect((await chat(HELLO, many)).status).toBe(200);
  expect((await chat(HELLO, [...many, 'Origin: https://evil.example'])).status).toBe(403);
  expect((await chat(HELLO, [`x${'y'.repeat(10_000)}: 1`])).status).toBe(200);
});

test('the id, the address and the depth that a client sends are not taken for ours', async () => {
  const answer = await chat(HELLO, ['X-Request-Id: req_forged', 'X-Forwarded-For: 10.0.0.1', 'X-Real-IP: 10.0.0.1']);
  expect(answer.headers['x-request-id']).not.toBe('req_forged');
  await logged(gateway, 'chat', { id: answer.headers['x-request-id'] });
  expect(gateway.stderr).not.toMatch(/req_forged|10\.0\.0\.1/);
});

test('an address in a request is never fetched', async () => {
  const url = `${outside.url}/picture.png`;
  const image = [{ type: 'image_url', image_url: { url } }];
  await (await send(DOORS[0]!, JSON.stringify({ model: 'main', messages: [{ role: 'user', content: image }] }))).text();
  const source = [{ type: 'image', source: { type: 'url', url } }];
  const message = { model: 'main', max_tokens: 9, messages: [{ role: 'user', content: source }] };
  await (await send(DOORS[1]!, JSON.stringify(message))).text();
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
  await (await send(DOORS[2]!, JSON.stringify({ model: 'main', input }))).text();
  expect(outside.requests).toEqual([]);
});

test('a model of a megabyte, with line breaks and codes of a terminal, leaves one short line in the log', async () => {
  const model = `\u001b[2J\n{"level":"error","msg":"forged"}\r\n${'m'.repeat(1_000_000)}`;
  const response = await send(DOORS[0]!, JSON.stringify({ ...JSON.parse(HELLO), model }));
  await response.text();
  const id = response.headers.get('x-request-id');
  const line = await logged(gateway, 'chat', { id });
  expect(JSON.stringify(line).length).toBeLessThan(20_000);
  expect(logLines(gateway).some(({ msg }) => msg === 'forged')).toBe(false);
});

test.each([
  ['"n":1000000000', 502],
  ['"max_tokens":1e400', 400],
  ['"temperature":1e400', 400],
])('a number beyond all reason, %s, is an answer of %i, and the gateway goes on', async (field, status) => {
  const response = await send(DOORS[0]!, `{${field},${HELLO.slice(1)}`);
  expect(response.status).toBe(status);
  expect((await chat(HELLO)).status).toBe(200);
});
