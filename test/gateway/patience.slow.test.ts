/** What is measured in many seconds: everything runs at once, before the tests look at the results. */
import { setTimeout as pause } from 'node:timers/promises';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { installScripted, logged, PROVIDERS, stop, text } from './scripted-driver';
import { errorOf, events, RawConnection } from './wire';

const home = new TempHome();
/** Each with a state of its own: otherwise one would serve both. */
const start = (state: string) =>
  RunningGateway.start(['--log-format', 'json'], {
    env: home.environment({ XDG_STATE_HOME: `${home.directory}/${state}` }),
  });

interface Slow {
  received: string;
  seconds: number;
}

let slowHead: Slow;
let slowBody: Slow;
let trickle: Slow;
let kept: { pieces: string[]; seconds: number[] };
let drained: { seconds: number; streamed: string; single: number; code: number | null };
let kicked: { status: number; seconds: number };
let offline: { soon: string[]; later: string[] };

beforeAll(async () => {
  installScripted(home);
  home.configure(`${PROVIDERS}  - { name: back, driver: scripted, default_model: b, check: file }\n`);
  const [gateway, draining] = await Promise.all([start('patient'), start('draining')]);
  try {
    [slowHead, slowBody, trickle, kept, drained, kicked, offline] = await Promise.all([
      slowly(gateway, 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n'),
      slowly(
        gateway,
        'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
      slowly(gateway, 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ', 'a'),
      keepAlive(gateway),
      drain(draining),
      lateFailure(gateway),
      comeBack(gateway),
    ]);
  } finally {
    await Promise.all([gateway.stop('SIGKILL'), draining.stop('SIGKILL')]);
    home.remove();
  }
}, 60_000);

const since = (started: number) => (performance.now() - started) / 1000;

/** Sends a beginning, then nothing or a byte each second, until the gateway has had enough. */
async function slowly(gateway: RunningGateway, beginning: string, drop = ''): Promise<Slow> {
  const started = performance.now();
  const connection = await RawConnection.open(gateway.port);
  connection.write(beginning);
  const dripping = setInterval(() => drop && connection.socket.writable && connection.write(drop), 1000);
  await connection.closed;
  clearInterval(dripping);
  return { received: connection.received, seconds: since(started) };
}

async function keepAlive(gateway: RunningGateway): Promise<typeof kept> {
  const started = performance.now();
  const script = [{ until: 'kept' }, text('Hello'), stop];
  const pieces: string[] = [];
  const seconds: number[] = [];
  const response = await gateway.chat({ model: 'main', stream: true, script });
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    pieces.push(Buffer.from(piece).toString());
    seconds.push(since(started));
    if (pieces.length === 2) await gateway.chat({ model: 'plain', script: [{ open: 'kept' }, text('x'), stop] });
  }
  return { pieces, seconds };
}

/** A failure after the head had to be sent. */
async function lateFailure(gateway: RunningGateway): Promise<typeof kicked> {
  const started = performance.now();
  const script = [{ until: 'kept' }, { fail: ['upstream', 'it broke late'] }];
  const response = await gateway.chat({ model: 'main', stream: true, script });
  const seconds = since(started);
  const received = await response.text();
  expect(events(received.replaceAll(': keep-alive\n\n', '')).at(-1)?.error).toMatchObject({ code: 'upstream_error' });
  expect(received.endsWith('data: [DONE]\n\n')).toBe(true);
  return { status: response.status, seconds };
}

async function drain(gateway: RunningGateway): Promise<typeof drained> {
  const begun = [text('Hel'), { say: 'begun' }];
  const streamed = gateway.chat({ model: 'main', stream: true, script: [...begun, { hang: true }] });
  const single = gateway.chat({ model: 'plain', script: [...begun, { until: 'never', stubborn: true }] });
  await logged(gateway, 'begun', { provider: 'main' });
  await logged(gateway, 'begun', { provider: 'plain' });
  const started = performance.now();
  const code = gateway.stop('SIGTERM');
  const result = { streamed: await (await streamed).text(), single: (await single).status, code: await code };
  expect(gateway.stderr).toMatch(/"reason":"shutdown","msg":"turn aborted"/);
  return { ...result, seconds: since(started) };
}

/** A backend that comes up after the check at the start. */
async function comeBack(gateway: RunningGateway): Promise<typeof offline> {
  await logged(gateway, 'back is offline: the backend is not up yet', {});
  home.write('backend-is-up', '');
  const list = async () => {
    const { data } = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
    return data.map(({ id }) => id).filter((id) => id.startsWith('back'));
  };
  const soon = await list();
  await pause(15_500);
  return { soon, later: await list() };
}

test('headers that do not arrive within 10 s are a 408', () => {
  for (const { received, seconds } of [slowHead, trickle]) {
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(received).toMatch(/^x-request-id: req_/m);
    expect(errorOf(received.split('\r\n\r\n')[1]!).code).toBe('request_timeout');
    expect(seconds).toBeGreaterThan(9.5);
    expect(seconds).toBeLessThan(13);
  }
});

test('a body that does not arrive within 30 s is a 408', () => {
  expect(slowBody.received).toMatch(/^HTTP\/1\.1 408 /);
  expect(errorOf(slowBody.received.split('\r\n\r\n')[1]!).code).toBe('request_timeout');
  expect(slowBody.seconds).toBeGreaterThan(29.5);
  expect(slowBody.seconds).toBeLessThan(33);
});

test('a silent stream says that it lives after 15 s, and again after 15 s, and then goes on as usual', () => {
  expect(kept.pieces.slice(0, 2)).toEqual([': keep-alive\n\n', ': keep-alive\n\n']);
  expect(kept.seconds[0]).toBeGreaterThan(14.5);
  expect(kept.seconds[0]).toBeLessThan(16.5);
  expect(kept.seconds[1]! - kept.seconds[0]!).toBeGreaterThan(14.5);
  expect(kept.seconds[1]! - kept.seconds[0]!).toBeLessThan(16.5);
  const rest = kept.pieces.slice(2).join('');
  expect(events(rest).map(({ choices }) => choices[0].delta.content ?? '')).toEqual(['', 'Hello', '']);
  expect(rest.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('the head of a stream waits no longer than 15 s: what fails later, fails in the stream', () => {
  expect(kicked.status).toBe(200);
  expect(kicked.seconds).toBeGreaterThan(14.5);
  expect(kicked.seconds).toBeLessThan(16.5);
});

test('the list of models looks at an offline provider again, 15 s after the last time', () => {
  expect(offline).toEqual({ soon: [], later: ['back', 'back:b'] });
});

test('answers that still run 10 s after SIGTERM are ended with an error, and the gateway ends', () => {
  expect(drained.seconds).toBeGreaterThan(9.5);
  expect(drained.seconds).toBeLessThan(13);
  expect(events(drained.streamed).at(-1)?.error).toMatchObject({ code: 'shutting_down' });
  expect(drained.streamed.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(drained.single).toBe(503);
  expect(drained.code).toBe(0);
});
