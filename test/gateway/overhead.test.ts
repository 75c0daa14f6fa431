import type { RunningGateway } from '../setup/running-gateway';
import { logged, logLines, stop, text, useScripted } from './scripted-driver';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
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
  const script = [{ pause: PAUSE_MS }, { open: 'go' }, text('x'), stop];
  await gateway.chat({ model: 'main', script });
  await first;
  const line = await lineOf(await second);
  expect(restOf(line)).toBeGreaterThanOrEqual(PAUSE_MS / 2);
});

test('the time of a client that sends its request slowly is no overhead', async () => {
  const body = async function* () {
    yield Buffer.from('{"model":"main",');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    yield Buffer.from('"messages":[{"role":"user","content":"Hello"}]}');
  };
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(), duplex: 'half' };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, init as unknown as RequestInit);
  expect(response.status).toBe(200);
  const line = await lineOf(response);
  // The head of the request may have come late.
  expect(restOf(line)).toBeGreaterThanOrEqual(PAUSE_MS / 2);
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
