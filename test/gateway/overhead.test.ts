import type { RunningGateway } from '../setup/running-gateway';
import { readPage } from '../daemon/metrics/read-page';
import { until } from '../setup/until';
import { logged, logLines, stop, text, useScripted } from './scripted-driver';
import { RawConnection } from './wire';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
    words: ['--metrics'],
    yaml: `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m }
  - { name: narrow, driver: scripted, default_model: n, max_concurrency: 1 }
routes:
  - { name: either, targets: [main, narrow] }
`,
  }),
);

const PAUSE_MS = 200;

function overheadOf({ headers }: Response): number {
  const value = headers.get('x-drivebay-overhead-ms');
  expect(value).toMatch(/^\d+(\.\d{1,3})?$/);
  return Number(value);
}

async function lineOf(response: Response): Promise<Record<string, unknown>> {
  await response.text();
  return logged(gateway, 'chat', { id: response.headers.get('x-request-id') });
}

/** The time that is no overhead. A busy machine makes both longer, but never this one shorter. */
const restOf = ({ ms, overhead_ms: own }: Record<string, unknown>) => Number(ms) - Number(own);

test.each([
  ['an answer in one piece', { script: [{ pause: PAUSE_MS }, text('x'), stop] }],
  ['a stream', { stream: true, script: [{ pause: PAUSE_MS }, text('x'), { pause: PAUSE_MS }, text('y'), stop] }],
  ['an answer of a route', { model: 'either', script: [{ pause: PAUSE_MS }, text('x'), stop] }],
  [
    'a failure of both targets of a route',
    { model: 'either', script: [{ pause: PAUSE_MS }, { fail: ['upstream', 'it broke', {}] }] },
  ],
  ['a failure', { script: [{ pause: PAUSE_MS }, { fail: ['upstream', 'it broke'] }] }],
])('the time of the driver is no overhead: %s', async (_name, fields) => {
  const response = await gateway.chat({ model: 'main', ...fields });
  const line = await lineOf(response);
  const pauses = fields.script.filter((step) => 'pause' in step).length;
  expect(restOf(line)).toBeGreaterThanOrEqual(pauses * PAUSE_MS - 5);
  // The log counts until the end of the answer.
  expect(line.overhead_ms).toBeGreaterThanOrEqual(overheadOf(response));
});

test('the time in the queue is no overhead', async () => {
  const first = gateway.chat({ model: 'narrow', script: [{ say: 'first' }, { until: 'go' }, text('x'), stop] });
  await logged(gateway, 'first', {});
  const second = gateway.chat({ model: 'narrow' });
  const waiting = async () => (await readPage(gateway.url)).value('drivebay_provider_waiting', { provider: 'narrow' });
  await until(async () => (await waiting()) === 1);
  const script = [{ pause: PAUSE_MS }, { open: 'go' }, text('x'), stop];
  await gateway.chat({ model: 'main', script });
  await first;
  const line = await lineOf(await second);
  expect(restOf(line)).toBeGreaterThanOrEqual(PAUSE_MS - 5);
});

test('the time of a client that sends its request slowly is no overhead', async () => {
  const body = '{"model":"main","messages":[{"role":"user","content":"Hello"}]}';
  const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  const connection = await RawConnection.open(gateway.port);
  const more = [`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
  connection.write(`${[...head, ...more].join('\r\n')}\r\n\r\n`);
  // The gateway has the head, and waits.
  await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  connection.write(body);
  await connection.closed;
  const [, id] = /x-request-id: (\S+)/i.exec(connection.received)!;
  expect(restOf(await logged(gateway, 'chat', { id, status: 200 }))).toBeGreaterThanOrEqual(PAUSE_MS - 5);
});

test('our own work is overhead: a large request takes more of it than a small one', async () => {
  const ask = async (content: string) =>
    overheadOf(await gateway.chat({ model: 'main', messages: [{ role: 'user', content }] }));
  await ask('warm');
  // The best of them: what else the machine does is no part of it.
  let small = Infinity;
  for (let n = 0; n < 10; n += 1) small = Math.min(small, await ask('a'));
  const large = Math.min(await ask('"'.repeat(1_900_000)), await ask('"'.repeat(1_900_000)));
  expect(large).toBeGreaterThan(small);
  expect(small).toBeGreaterThan(0);
});

test('a count of tokens tells it too, and a request without a call does not', async () => {
  const counted = await fetch(`${gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  overheadOf(counted);
  const models = await fetch(`${gateway.url}/v1/models`);
  expect(models.headers.get('x-drivebay-overhead-ms')).toBeNull();
  expect(logLines(gateway).some(({ msg, overhead_ms: own }) => msg === 'request' && own !== undefined)).toBe(false);
});
