import type { RunningGateway } from '../setup/running-gateway';
import { RawConnection } from './wire';
import { logged, logLines, PROVIDERS, stop, text, useScripted } from './scripted-driver';

let gateway: RunningGateway;
const yaml = PROVIDERS.replace('default_model: p-1', 'default_model: p-1, cost_per_token: 0.5');
useScripted(
  (started) => (gateway = started),
  () => ({ yaml, words: ['--log-level', 'debug'] }),
);

const SECRET = 'a very private question';
const ask = (fields: Record<string, unknown>) =>
  gateway.chat({ messages: [{ role: 'user', content: SECRET }], ...fields });

/** The one line about a request. */
async function lineOf(response: Response): Promise<Record<string, unknown>> {
  await response.text();
  const id = response.headers.get('x-request-id');
  const { time: _time, ...line } = await logged(gateway, 'chat', { id });
  expect(logLines(gateway).filter((each) => each.msg === 'chat' && each.id === id)).toHaveLength(1);
  return line;
}

test.each([true, false])(
  'an answer is one line with id, provider, model, status, ms and tokens, streamed: %s',
  async (stream) => {
    const response = await ask({ model: 'main:big', stream });
    expect(await lineOf(response)).toEqual({
      level: 'info',
      msg: 'chat',
      id: response.headers.get('x-request-id'),
      dialect: 'chat-completions',
      provider: 'main',
      model: 'main:big',
      status: 200,
      ms: expect.any(Number),
      overhead_ms: expect.any(Number),
      input_tokens: 3,
      output_tokens: 1,
    });
  },
);

test('the model is the one that the driver says it used, and the cost is told where it is known', async () => {
  const usage = { type: 'usage', inputTokens: 3, outputTokens: 1 };
  const script = [{ type: 'meta', model: 'm-1-2026' }, text('x'), usage, stop];
  expect(await lineOf(await ask({ model: 'plain', script }))).toMatchObject({ model: 'm-1-2026', cost_usd: 2 });
});

test('the log line of an answer that breaks off has its usage', async () => {
  const usage = { type: 'usage', inputTokens: 3, outputTokens: 1 };
  const script = [usage, text('x'), { fail: ['upstream', 'it broke'] }];
  const line = await lineOf(await ask({ model: 'plain', stream: true, script }));
  expect(line).toMatchObject({ status: 502, input_tokens: 3, output_tokens: 1, cost_usd: 2 });
});

test('how the driver came to its program is in the line, and in a header', async () => {
  for (const stream of [true, false]) {
    const response = await ask({ model: 'plain', stream, script: [{ type: 'meta', warm: 'hit' }, text('x'), stop] });
    expect(response.headers.get('x-drivebay-warm')).toBe('hit');
    expect(await lineOf(response)).toMatchObject({ warm: 'hit' });
  }
});

test.each([
  ['a failure of the backend', { script: [{ fail: ['upstream', 'it broke'] }] }, 502, 'warn', /it broke/],
  ['a timeout', { script: [{ fail: ['timeout', 'too slow'] }] }, 504, 'warn', /too slow/],
  [
    'an error in the stream',
    { stream: true, script: [text('x'), { fail: ['upstream', 'it broke'] }] },
    502,
    'warn',
    /it broke/,
  ],
  ['a request at fault', { temperature: 'hot' }, 400, 'info', /temperature/],
])('%s is one line with its status and reason', async (_name, fields, status, level, error) => {
  expect(await lineOf(await ask({ model: 'main', ...fields }))).toMatchObject({
    status,
    level,
    error: expect.stringMatching(error),
  });
});

test('a body that is cut short is one line, with the id and the status of its answer', async () => {
  const connection = await RawConnection.open(gateway.port);
  const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100';
  connection.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n{"model":`).socket.end();
  const { status, headers } = await connection.answer();
  await connection.closed;
  const next = await gateway.chat({ model: 'main' });
  await lineOf(next);
  const cut = logLines(gateway).filter(({ error }) => error === 'the request ended before its body');
  expect(cut).toMatchObject([{ msg: 'chat', id: headers['x-request-id'], status: 400 }]);
  expect(status).toBe(400);
});

test('a key in the place of the model reaches no provider, no answer and no log', async () => {
  const key = 'sk-proj-0123456789abcdefABCDEF';
  for (const model of [key, `main:${key}`]) {
    const response = await ask({ model });
    const id = response.headers.get('x-request-id');
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/not shown: it looks like a key/);
    const line = await logged(gateway, 'chat', { id });
    expect(line).toMatchObject({ status: 404 });
    expect(line).not.toHaveProperty('provider');
  }
  expect(gateway.stderr).not.toContain(key);
});

test('a key in the path of a request is in no line, and the id of an answer is', async () => {
  const keys = ['sk-proj-0123456789abcdefABCDEF', 'AIzaSyA-1234567890abcdefghijklMNOP'];
  for (const key of keys) {
    const response = await fetch(`${gateway.url}/v1/models/${key}`);
    await response.text();
    const line = await logged(gateway, 'request', { id: response.headers.get('x-request-id') });
    expect(line.path).toBe('/v1/models/(not shown: it looks like a key)');
    expect(gateway.stderr).not.toContain(key);
  }
  const path = `/v1/responses/resp_${'0a1b2c3d'.repeat(4)}`;
  const response = await fetch(gateway.url + path);
  await response.text();
  expect(await logged(gateway, 'request', { id: response.headers.get('x-request-id') })).toMatchObject({ path });
});

test('other requests have a line with method, path and status', async () => {
  for (const [path, status] of [
    ['/v1/models', 200],
    ['/nothing', 404],
  ] as const) {
    const response = await fetch(`${gateway.url}${path}?secret=1`);
    await response.text();
    const id = response.headers.get('x-request-id');
    expect(await logged(gateway, 'request', { id })).toMatchObject({ method: 'GET', path, status });
  }
  expect(gateway.stderr).not.toContain('secret=1');
});

test('a log in JSON is JSON on every line, and holds no prompt even at level debug', async () => {
  const script = [text('a private answer'), stop];
  await lineOf(
    await ask({ model: 'main', stream: true, script, tools: [{ type: 'function', function: { name: 'f' } }] }),
  );
  const lines = gateway.stderr.trim().split('\n');
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    });
  }
  expect(gateway.stderr).not.toContain(SECRET);
  expect(gateway.stderr).not.toContain('a private answer');
});
