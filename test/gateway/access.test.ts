import type { RunningGateway } from '../setup/running-gateway';
import { logged, stop, text, useScripted } from './scripted-driver';
import { errorOf, RawConnection, type RawAnswer, sendRaw } from './wire';

const KEY = 'inbound-key-for-tests';
const ORIGIN = 'http://localhost:3000';
let gateway: RunningGateway;
let locked: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ words: ['--allow-host', 'llm.internal', '--allow-origin', ORIGIN] }),
);
useScripted(
  (started) => (locked = started),
  () => ({ words: ['--api-key-env', 'INBOUND_KEY', '--allow-origin', ORIGIN], env: { INBOUND_KEY: KEY } }),
);

/** A chat request with exactly these headers besides type and length. */
function chat(headers: string[], fields: Record<string, unknown> = {}): Promise<RawAnswer> {
  const body = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hi' }], ...fields });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return sendRaw(gateway.port, head, body);
}

test.each([
  ['a foreign Host', ['Host: evil.example'], 'forbidden_host', '--allow-host evil.example'],
  ['no Host', [], 'forbidden_host', 'the Host ""'],
  ['a foreign Origin', ['Host: localhost', 'Origin: http://evil.example'], 'forbidden_origin', '--allow-origin'],
])('nothing runs for %s, which gets no CORS headers', async (_name, headers, code, hint) => {
  const answer = await chat(headers, { script: [{ say: 'a guarded turn' }] });
  expect(answer.status).toBe(403);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const message = expect.stringContaining(hint);
  expect(errorOf(answer.text)).toMatchObject({ code, type: 'permission_error', param: null, message });
  // The driver would have said so before the line of a later request.
  const later = await chat(['Host: localhost'], { script: [{ say: 'the mark' }, text('x'), stop] });
  await logged(gateway, 'chat', { id: later.headers['x-request-id'] });
  expect(gateway.stderr).toContain('the mark');
  expect(gateway.stderr).not.toContain('a guarded turn');
});

test('a foreign Host may not even read', async () => {
  for (const path of ['/health', '/v1/models', '/nothing']) {
    const answer = await sendRaw(gateway.port, [`GET ${path} HTTP/1.1`, 'Host: evil.example', 'Connection: close']);
    expect(errorOf(answer.text).code).toBe('forbidden_host');
  }
});

test('a Host of --allow-host is let in', async () => {
  expect((await chat(['Host: llm.internal'])).status).toBe(200);
});

test('an allowed origin gets CORS headers, on answers, streams and errors alike', async () => {
  for (const fields of [{}, { stream: true }, { model: 5 }]) {
    const answer = await chat(['Host: localhost', `Origin: ${ORIGIN}`], fields);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
      vary: 'Origin',
    });
  }
  expect((await chat(['Host: localhost'])).headers).not.toHaveProperty('access-control-allow-origin');
});

test.each([
  [ORIGIN, 204],
  ['http://evil.example', 403],
])('a preflight of %s is a %i, without a key, whatever headers an SDK sends', async (origin, status) => {
  for (const { port } of [gateway, locked]) {
    const answer = await sendRaw(port, [
      'OPTIONS /v1/chat/completions HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Origin: ${origin}`,
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization,content-type,x-stainless-os',
      'Access-Control-Request-Private-Network: true',
    ]);
    expect(answer.status).toBe(status);
    const names = ['origin', 'methods', 'headers', 'private-network'];
    const granted = names.map((name) => answer.headers[`access-control-allow-${name}`]);
    const headers = 'authorization,content-type,x-stainless-os';
    expect(granted).toEqual(status === 204 ? [ORIGIN, 'GET, POST, DELETE', headers, 'true'] : Array(4).fill(undefined));
  }
});

describe('with --api-key-env', () => {
  const ask = (key: string) => locked.chat({ model: 'main' }, { headers: { authorization: `Bearer ${key}` } });

  test('the key opens the door, and another does not', async () => {
    expect((await ask(KEY)).status).toBe(200);
    const refused = await ask(`${KEY}x`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const body = await refused.text();
    expect(errorOf(body)).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error', param: null });
    expect(body).not.toContain(KEY);
  });

  test.each([
    ['/v1/models', 401],
    ['/v1/models/main', 401],
    ['/nothing', 401],
    ['/health', 200],
  ])('GET %s without it is a %i', async (path, status) => {
    expect((await fetch(locked.url + path)).status).toBe(status);
  });
});

describe('header injection', () => {
  test.each(['a\r\nset-cookie: x=1', 'main:\u0000\u0001\r\n\r\nHTTP/1.1 200 OK', '\ud800', 'é'.repeat(5000)])(
    'is not possible through the model name %j',
    async (model) => {
      for (const stream of [true, false]) {
        const answer = await chat(['Host: localhost'], { model, stream });
        expect(answer.status).toBe(200);
        expect(answer.headers).not.toHaveProperty('set-cookie');
        expect(answer.raw.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
      }
    },
  );

  test('is not possible through the names of ignored parameters', async () => {
    const script = [{ type: 'meta', ignored: ['a\r\nset-cookie: x=1', 'ü', 'top_k'] }, text('x'), stop];
    for (const stream of [true, false]) {
      const response = await gateway.chat({ model: 'main', stream, script });
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.headers.get('x-drivebay-ignored-params')).toMatch(/^aset-cookie:x=1,.*top_k$/);
      await response.text();
    }
  });

  test('is not possible through the hints and numbers of an error', async () => {
    const details = { retryAfterS: '5\r\nset-cookie: x=1', hint: 'a\r\nb: c' };
    const response = await gateway.chat({ model: 'main', script: [{ fail: ['rate_limited', 'a\r\nb: c', details] }] });
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(errorOf(await response.text()).code).toBe('upstream_error');
  });
});

const ONE_LENGTH = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n';

test.each([
  ['garbage', 'this is not HTTP\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc'],
  ['two lengths', `${ONE_LENGTH}Content-Length: 6\r\n\r\nhello`],
  ['a length and chunks', `${ONE_LENGTH}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
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
