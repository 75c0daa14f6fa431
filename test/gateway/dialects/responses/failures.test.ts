import type { RunningGateway } from '../../../setup/running-gateway';
import { logged, stop, text, useScripted } from '../../scripted-driver';
import { errorOf, type Json, sendRaw } from '../../wire';
import { last, respond, streamed } from './responses-wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const AGENT = { originator: 'some_agent' };

test.each<[string, unknown[], number, string, string | null]>([
  ['no connection', ['unreachable', 'no'], 502, 'upstream_error', null],
  ['a status of 503', ['upstream', 'no', { status: 503, retryAfterS: 3 }], 503, 'upstream_error', '3'],
  ['too much to do', ['rate_limited', 'no', { kind: 'overloaded' }], 503, 'upstream_error', null],
  ['a short wait', ['rate_limited', 'no', { retryAfterS: 2 }], 429, 'rate_limit_exceeded', '2'],
  ['a long wait', ['rate_limited', 'no', { retryAfterS: 3600 }], 429, 'rate_limit_exceeded', null],
  ['a limit without a time', ['rate_limited', 'no'], 429, 'rate_limit_exceeded', null],
  [
    'a quota at its end',
    ['rate_limited', 'no', { kind: 'usage_limit', retryAfterS: 9 }],
    429,
    'insufficient_quota',
    null,
  ],
  ['no answer in time', ['timeout', 'no'], 504, 'timeout', null],
  ['a wrong key', ['auth', 'no', { status: 401 }], 400, 'upstream_error', null],
  ['a model that is not there', ['rejected', 'no', { kind: 'model_unavailable' }], 404, 'model_not_found', null],
  ['a long conversation', ['rejected', 'no', { kind: 'context_overflow' }], 400, 'context_length_exceeded', null],
  ['a request that the driver refuses', ['invalid_request', 'no', { param: 'x' }], 400, 'invalid_request', null],
])('%s has its status, and says whether to come back', async (_name, fail, status, code, wait) => {
  const response = await respond(gateway, [{ fail }], { stream: true });
  const error = errorOf(await response.text());
  expect([response.status, error.code, response.headers.get('retry-after')]).toEqual([status, code, wait]);
  expect(error.type).toBe(
    status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error',
  );
  const comesBack = [502, 503].includes(status) || wait !== null;
  expect(response.headers.get('x-should-retry')).toBe(comesBack ? null : 'false');
});

test('a failure of an agent program is never one that clients repeat', async () => {
  for (const fail of [
    ['upstream', 'crashed', { sideEffects: true }],
    ['unreachable', 'no'],
    ['rate_limited', 'no', { retryAfterS: 1 }],
  ]) {
    const response = await respond(gateway, [{ fail }], { model: 'agent', input: JSON.stringify(fail) });
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
  }
  const found = await streamed(
    respond(gateway, [{ fail: ['upstream', 'it crashed'] }], { model: 'agent', stream: true }, AGENT),
  );
  expect(last(found).error).toEqual({ code: 'invalid_prompt', message: 'provider "agent": it crashed' });
});

test('the way out stands in the message, because clients show nothing else', async () => {
  const script = [{ fail: ['auth', 'no key', { hint: 'log in' }] }];
  const whole = errorOf(await (await respond(gateway, script)).text());
  const found = await streamed(respond(gateway, script, { stream: true }, AGENT));
  expect([whole.message, last(found).error]).toEqual([
    'provider "main": no key; log in',
    { code: 'invalid_prompt', message: 'provider "main": no key; log in' },
  ]);
});

test('a failure of the backend is a warning of the log, whatever its status', async () => {
  const response = await respond(gateway, [{ fail: ['auth', 'no key'] }]);
  const line = await logged(gateway, 'response', { id: response.headers.get('x-request-id') });
  expect(line).toMatchObject({ level: 'warn', status: 400 });
});

test('what a retry can mend stays an HTTP error for an agent', async () => {
  const response = await respond(gateway, [{ fail: ['unreachable', 'no'] }], { stream: true }, AGENT);
  expect([response.status, errorOf(await response.text()).code]).toEqual([502, 'upstream_error']);
});

test('an empty answer is a failure that is not repeated', async () => {
  const response = await respond(gateway, [stop]);
  expect([response.status, errorOf(await response.text())]).toMatchObject([400, { details: { kind: 'empty' } }]);
  const found = await streamed(respond(gateway, [stop], { stream: true }, AGENT));
  expect(last(found).error).toMatchObject({ code: 'invalid_prompt', message: expect.stringMatching(/empty/) });
});

test.each(['/responses', '/v1/v1/responses'])('a base URL that is a version off is served: %s', async (path) => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', input: 'Hi' }),
  });
  const { id, output } = (await response.json()) as Json;
  expect(output[0].content[0].text).toBe('Hello');
  expect(((await (await fetch(`${gateway.url}${path}/${id}`)).json()) as Json).id).toBe(id);
  expect((await fetch(`${gateway.url}${path}/${id}`, { method: 'DELETE' })).status).toBe(200);
});

test.each(['/v1/responses', '/responses'])('a WebSocket is refused so that clients use HTTP: %s', async (path) => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'eA==',
  };
  const lines = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}`);
  const answer = await sendRaw(gateway.port, [`GET ${path} HTTP/1.1`, 'host: localhost', ...lines]);
  expect([answer.status, answer.headers.upgrade]).toEqual([426, 'HTTP/1.1']);
  expect(answer.text).toContain('"upgrade_required"');
  const plain = await fetch(gateway.url + path);
  expect([plain.status, plain.headers.get('allow')]).toEqual([405, 'POST']);
});

test('a client that leaves ends the turn', async () => {
  const controller = new AbortController();
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', input: 'Hi', stream: true, script: [text('Hi'), { hang: true }] }),
    signal: controller.signal,
  });
  await response.body!.getReader().read();
  controller.abort();
  await logged(gateway, 'turn aborted', { id: response.headers.get('x-request-id'), reason: 'client_gone' });
});
