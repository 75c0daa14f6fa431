/** What is measured in many seconds: everything runs at once, before the tests look at the results. */
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { installScripted, logged, PROVIDERS, text } from './scripted-driver';
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
let drained: { seconds: number; streamed: string; single: number; code: number | null };

beforeAll(async () => {
  installScripted(home);
  home.configure(PROVIDERS);
  const [gateway, draining] = await Promise.all([start('patient'), start('draining')]);
  try {
    [slowHead, slowBody, trickle, drained] = await Promise.all([
      slowly(gateway, 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n'),
      slowly(
        gateway,
        'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
      slowly(gateway, 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ', 'a'),
      drain(draining),
    ]);
  } finally {
    await Promise.all([gateway.stop('SIGKILL'), draining.stop('SIGKILL')]);
    home.remove();
  }
});

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

test('headers that do not arrive within 10 s are a 408', () => {
  for (const { received, seconds } of [slowHead, trickle]) {
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(received).toMatch(/^x-request-id: req_/m);
    expect(errorOf(received.split('\r\n\r\n')[1]!).code).toBe('request_timeout');
    expect(seconds).toBeGreaterThan(9.5);
    expect(seconds).toBeLessThan(25);
  }
});

test('a body that does not arrive within 30 s is a 408', () => {
  expect(slowBody.received).toMatch(/^HTTP\/1\.1 408 /);
  expect(errorOf(slowBody.received.split('\r\n\r\n')[1]!).code).toBe('request_timeout');
  expect(slowBody.seconds).toBeGreaterThan(29.5);
  expect(slowBody.seconds).toBeLessThan(60);
});

test('answers that still run 10 s after SIGTERM are ended with an error, and the gateway ends', () => {
  expect(drained.seconds).toBeGreaterThan(9.5);
  expect(drained.seconds).toBeLessThan(25);
  expect(events(drained.streamed).at(-1)?.error).toMatchObject({ code: 'shutting_down' });
  expect(drained.streamed.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(drained.single).toBe(503);
  expect(drained.code).toBe(0);
});
