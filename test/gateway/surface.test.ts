import type { RunningGateway } from '../setup/running-gateway';
import { useScripted } from './scripted-driver';
import { errorOf, post, RawConnection, sendRaw } from './wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

test('GET /health says ok and how many providers there are', async () => {
  const response = await fetch(`${gateway.url}/health`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.text()).toBe('{"status":"ok","providers":3}');
});

test.each(['/health', '/health?x=1', '/v1/models', '/v1/models?limit=5', '/v1/models/main'])(
  'HEAD %s is the head of GET',
  async (path) => {
    const [head, get] = await Promise.all([fetch(gateway.url + path, { method: 'HEAD' }), fetch(gateway.url + path)]);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    await get.text();
  },
);

test.each([
  ['GET', '/'],
  ['GET', '/v1'],
  ['POST', '/v1/completions'],
  ['POST', '/v1/chat/completions/'],
  ['POST', '/V1/Chat/Completions'],
  ['POST', '/v1/chat/completions%00'],
  ['GET', '/v1/chat'],
  ['GET', '/health/'],
  ['GET', '/v1/models/%E0%A4%A'],
  ['GET', '/../../etc/passwd'],
  ['DELETE', '/nothing'],
])('%s %s is an unknown URL, in JSON', async (method, path) => {
  const answer = await sendRaw(gateway.port, [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Content-Length: 0',
  ]);
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  expect(errorOf(answer.text)).toMatchObject({ code: 'unknown_url', type: 'invalid_request_error', param: null });
});

test.each([
  ['POST', '/v1/chat/completions#top', 200],
  ['POST', '/v1/chat/completions?beta=true#top?x', 200],
  ['POST', 'HTTP://LOCALHOST/v1/chat/completions#top', 200],
  ['GET', '/health#top', 200],
  ['GET', '/v1/models#top', 200],
  ['GET', '/#/v1/models', 404],
])('%s %s is asked for without the fragment', async (method, target, status) => {
  const body = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hi' }] });
  const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  const sent = method === 'POST' ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : [];
  const answer = await sendRaw(gateway.port, [...head, ...sent], sent.length > 0 ? body : '');
  expect(answer.status).toBe(status);
});

test.each(['/chat/completions', '/v1/v1/chat/completions', '/v1/completions', '/messages', '/api/chat'])(
  'a client that asks at %s learns its API and base URL',
  async (path) => {
    const response = await fetch(gateway.url + path, { method: 'POST', body: '{}' });
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain(`nothing at POST ${path};`);
    expect(error.message).toMatch(/the API chat-completions or .*messages/);
    expect(error.message).toContain(`, the base URL ${gateway.url}/v1`);
  },
);

test.each([
  ['GET', '/v1/chat/completions', 'POST'],
  ['PUT', '/v1/chat/completions', 'POST'],
  ['OPTIONS', '/v1/chat/completions', 'POST'],
  ['POST', '/v1/models', 'GET, HEAD'],
  ['DELETE', '/v1/models/main', 'GET, HEAD'],
  ['POST', '/health', 'GET, HEAD'],
  ['PUT', '/v1/responses', 'POST'],
  ['DELETE', '/responses', 'POST'],
  ['POST', '/v1/responses/resp_1', 'GET, HEAD, DELETE'],
])('%s %s is not allowed, and the answer says what is', async (method, path, allow) => {
  const response = await fetch(gateway.url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(errorOf(await response.text())).toMatchObject({ code: 'method_not_allowed', param: null });
});

const CHAT = '{"model":"main","messages":[{"role":"user","content":"Hi"}]}';

test.each<[string, Record<string, string>]>([
  ['text/plain', { 'content-type': 'text/plain' }],
  ['no content type', {}],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form in parts', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['something that only begins like JSON', { 'content-type': 'application/jsonp' }],
  ['a packed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
])('%s is an unsupported media type', async (_name, headers) => {
  const response = await post(gateway, CHAT, headers);
  expect(response.status).toBe(415);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(errorOf(await response.text())).toMatchObject({ code: 'unsupported_media_type', param: null });
});

test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=utf-8'])(
  '%s is JSON',
  async (type) => {
    const headers = { 'content-type': type, 'content-encoding': 'Identity' };
    expect((await post(gateway, CHAT, headers)).status).toBe(200);
  },
);

test.each([
  ['no JSON', '{', null],
  ['a wrong role', '{"model":"main","messages":[{"role":"robot","content":"Hi"}]}', 'messages[0].role'],
])('%s is a 400 with its param', async (_name, body, param) => {
  const response = await post(gateway, body);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(errorOf(await response.text())).toMatchObject({
    code: 'invalid_request',
    type: 'invalid_request_error',
    param,
  });
});

test('every answer has a request id of its own', async () => {
  const responses = await Promise.all(
    ['/health', '/v1/models', '/nothing', '/health'].map((path) => fetch(gateway.url + path)),
  );
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(4);
});

test('an unknown Expect header is a 417 in JSON', async () => {
  const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', 'Expect: foo', 'Content-Length: 2'];
  const { status, headers, text } = await sendRaw(gateway.port, head);
  expect(status).toBe(417);
  expect(headers['x-request-id']).toMatch(/^req_/);
  expect(errorOf(text)).toMatchObject({
    code: 'expectation_failed',
    type: 'invalid_request_error',
    message: 'Expect: found "foo", expected 100-continue or no such header',
  });
});

test('CONNECT is a 405 in JSON, and the connection is closed', async () => {
  const connection = await RawConnection.open(gateway.port);
  connection.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  const { status, headers, text } = await connection.answer();
  expect(status).toBe(405);
  expect(headers['x-request-id']).toMatch(/^req_/);
  expect(errorOf(text).code).toBe('method_not_allowed');
});
