import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { installScripted, logged, PROVIDERS, stop, text } from './scripted-driver';
import { RawConnection } from './wire';

const home = new TempHome();
let gateway: RunningGateway;

beforeAll(() => {
  installScripted(home);
  home.configure(PROVIDERS);
});

beforeEach(async () => {
  gateway = await RunningGateway.start(['--log-format', 'json'], { env: home.environment() });
});

afterEach(() => gateway.stop('SIGKILL'));
afterAll(() => home.remove());

const ENDING = 'ending: running answers have 10 s; a second signal ends at once';

test.each<[NodeJS.Signals, number]>([
  ['SIGTERM', 0],
  ['SIGINT', 130],
])('%s ends a gateway without work at once, whatever connections are open', async (signal, code) => {
  const silent = await RawConnection.open(gateway.port);
  await (await fetch(`${gateway.url}/health`)).text();
  const started = performance.now();
  expect(await gateway.stop(signal)).toBe(code);
  expect(performance.now() - started).toBeLessThan(2000);
  await silent.closed;
});

test('SIGTERM lets running answers finish, refuses new ones, and ends with the last answer', async () => {
  const script = [text('Hel'), { say: 'halfway' }, { pause: 300 }, text('lo'), stop];
  const streamed = gateway.chat({ model: 'main', stream: true, script });
  const single = gateway.chat({ model: 'agent', script: [{ say: 'agent at work' }, ...script] });
  await logged(gateway, 'halfway', { provider: 'main' });
  await logged(gateway, 'agent at work', {});

  const ended = gateway.stop('SIGTERM');
  await logged(gateway, ENDING, {});
  await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();

  const received = await (await streamed).text();
  expect(received).toContain('"content":"lo"');
  expect(received).toContain('"finish_reason":"stop"');
  expect(await (await single).json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
  const answered = performance.now();
  expect(await ended).toBe(0);
  expect(performance.now() - answered).toBeLessThan(1000);
});

test('a second signal ends at once', async () => {
  const answer = gateway
    .chat({ model: 'main', stream: true, script: [text('x'), { say: 'halfway' }, { until: 'never', stubborn: true }] })
    .then((response) => response.text())
    .catch(() => 'cut');
  await logged(gateway, 'halfway', {});
  gateway.child.kill('SIGTERM');
  await logged(gateway, ENDING, {});
  const started = performance.now();
  gateway.child.kill('SIGTERM');
  expect(await gateway.stop()).toBe(1);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(await answer).toBe('cut');
});
