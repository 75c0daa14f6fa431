import { networkInterfaces } from 'node:os';
import type { RunningGateway } from '../setup/running-gateway';
import { logged, useScripted } from './scripted-driver';
import { errorOf, RawConnection, type RawAnswer, sendRaw } from './wire';

const KEY = 'inbound-key-for-tests';
let gateway: RunningGateway;
let locked: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ words: ['--allow-host', 'llm.internal', '--allow-origin', 'http://localhost:3000'] }),
);
useScripted(
  (started) => (locked = started),
  () => ({
    words: ['--api-key-env', 'INBOUND_KEY', '--allow-origin', 'http://localhost:3000'],
    env: { INBOUND_KEY: KEY },
  }),
);

const CHAT = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hi' }] });

/** A chat request with exactly these headers besides type and length. */
function chat(headers: string[], body = CHAT, port = gateway.port): Promise<RawAnswer> {
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return sendRaw(port, head, body);
}

describe('nothing runs for', () => {
  // The name stands in the log if the driver is asked. A later request of the same log comes behind it.
  const guarded = CHAT.replace('{', '{"script":[{"say":"a guarded turn"}],');
  const neverRan = async () => {
    const marked = CHAT.replace(
      '{',
      '{"script":[{"say":"the mark"},{"type":"text","text":"x"},{"type":"finish","reason":"stop"}],',
    );
    const { headers } = await chat(['Host: localhost'], marked);
    await logged(gateway, 'chat', { id: headers['x-request-id'] });
    expect(gateway.stderr).toContain('the mark');
    expect(gateway.stderr).not.toContain('a guarded turn');
  };

  test.each([
    ['a foreign Host', ['Host: evil.example']],
    ['no Host', []],
  ])('%s', async (_name, headers) => {
    const answer = await chat(headers, guarded);
    expect(answer.status).toBe(403);
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(errorOf(answer.text)).toMatchObject({ code: 'forbidden_host', type: 'permission_error', param: null });
    await neverRan();
  });

  test('a foreign Origin, which gets no CORS headers', async () => {
    const answer = await chat(['Host: localhost', 'Origin: http://evil.example'], guarded);
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(errorOf(answer.text)).toMatchObject({
      code: 'forbidden_origin',
      message: expect.stringContaining('--allow-origin'),
    });
    await neverRan();
  });

  test('a foreign Host that only reads', async () => {
    for (const path of ['/health', '/v1/models', '/nothing']) {
      const answer = await sendRaw(gateway.port, [`GET ${path} HTTP/1.1`, 'Host: evil.example', 'Connection: close']);
      expect(errorOf(answer.text).code).toBe('forbidden_host');
    }
  });
});

test('a Host of --allow-host is let in', async () => {
  expect((await chat(['Host: llm.internal'])).status).toBe(200);
});

test('an allowed origin gets CORS headers, on answers, streams and errors alike', async () => {
  const bodies = [CHAT, CHAT.replace('{', '{"stream":true,'), '{}'];
  for (const body of bodies) {
    const answer = await chat(['Host: localhost', 'Origin: http://localhost:3000'], body);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
      vary: 'Origin',
    });
  }
  const without = await chat(['Host: localhost']);
  expect(without.headers).not.toHaveProperty('access-control-allow-origin');
});

describe('a preflight', () => {
  const ask = (origin: string, port: number, ...more: string[]) =>
    sendRaw(port, [
      'OPTIONS /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Origin: ${origin}`,
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization,content-type,x-stainless-os',
      ...more,
    ]);

  test('of an allowed origin is granted, without a key, whatever headers an SDK sends', async () => {
    for (const { port } of [gateway, locked]) {
      const answer = await ask('http://localhost:3000', port, 'Access-Control-Request-Private-Network: true');
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'authorization,content-type,x-stainless-os',
        'access-control-allow-private-network': 'true',
      });
    }
  });

  test('of a foreign origin is refused', async () => {
    const answer = await ask('http://evil.example', gateway.port);
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers).not.toHaveProperty('access-control-allow-headers');
  });
});

describe('with --api-key-env', () => {
  const authorized = (value: string) => chat(['Host: localhost', `Authorization: ${value}`], CHAT, locked.port);

  test('the key opens the door', async () => {
    expect((await authorized(`Bearer ${KEY}`)).status).toBe(200);
  });

  test('another key does not', async () => {
    const answer = await authorized(`Bearer ${KEY}x`);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(errorOf(answer.text)).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error', param: null });
    expect(answer.raw).not.toContain(KEY);
  });

  test('nothing is said without it, but /health', async () => {
    for (const [path, status] of [
      ['/v1/models', 401],
      ['/v1/models/main', 401],
      ['/nothing', 401],
      ['/health', 200],
    ] as const) {
      expect((await fetch(locked.url + path)).status).toBe(status);
    }
  });

  test('a foreign host or origin is refused even with it', async () => {
    const key = `Authorization: Bearer ${KEY}`;
    expect((await chat(['Host: evil.example', key], CHAT, locked.port)).status).toBe(403);
    expect((await chat(['Host: localhost', 'Origin: http://evil.example', key], CHAT, locked.port)).status).toBe(403);
  });
});

describe('header injection', () => {
  test.each(['a\r\nset-cookie: x=1', 'main:\u0000\u0001\r\n\r\nHTTP/1.1 200 OK', '\ud800', 'é'.repeat(5000)])(
    'is not possible through the model name %j',
    async (model) => {
      for (const stream of [true, false]) {
        const body = JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }] });
        const answer = await chat(['Host: localhost'], body);
        expect(answer.status).toBe(200);
        expect(answer.headers).not.toHaveProperty('set-cookie');
        expect(answer.raw.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
      }
    },
  );

  test('is not possible through the names of ignored parameters', async () => {
    const script = [
      { type: 'meta', ignored: ['a\r\nset-cookie: x=1', 'ü', 'top_k'] },
      { type: 'text', text: 'x' },
      { type: 'finish', reason: 'stop' },
    ];
    for (const stream of [true, false]) {
      const response = await gateway.chat({ model: 'main', stream, script });
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.headers.get('x-drivebay-ignored-params')).toMatch(/^aset-cookie:x=1,.*top_k$/);
      await response.text();
    }
  });

  test('is not possible through the hints and numbers of an error', async () => {
    const script = [
      { fail: ['rate_limited', 'a\r\nb: c', { retryAfterS: '5\r\nset-cookie: x=1', hint: 'a\r\nb: c' }] },
    ];
    const response = await gateway.chat({ model: 'main', script });
    expect(response.status).toBe(502);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(errorOf(await response.text()).code).toBe('upstream_error');
  });
});

test.each([
  ['garbage', 'this is not HTTP\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc'],
  [
    'two lengths',
    'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  ],
  [
    'a length and chunks',
    'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a header with a line break', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: b\rc\r\n\r\n'],
])('%s is a 400 in JSON, and the connection ends', async (_name, bytes) => {
  const connection = await RawConnection.open(gateway.port);
  connection.write(Buffer.from(bytes, 'latin1'));
  const answer = await connection.answer();
  expect(answer.status).toBe(400);
  expect(errorOf(answer.text)).toMatchObject({ code: 'invalid_request', param: null });
  await gateway.untilOutput(new RegExp(`${answer.headers['x-request-id']}[^]*400`));
});

test('headers beyond any measure are a 431 in JSON', async () => {
  const answer = await sendRaw(gateway.port, ['GET /health HTTP/1.1', 'Host: localhost', `X-A: ${'a'.repeat(70_000)}`]);
  expect(answer.status).toBe(431);
  expect(errorOf(answer.text).code).toBe('headers_too_large');
});

test('the listener is on loopback only', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  // A machine without a network has no other address.
  if (outside) await expect(fetch(`http://${outside.address}:${gateway.port}/health`)).rejects.toThrow();
  expect(gateway.stdout).toContain(`http://127.0.0.1:${gateway.port}`);
});
