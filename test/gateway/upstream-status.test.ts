import { RunningGateway } from '../setup/running-gateway';
import { tempHome } from '../setup/temp-home';
import { installScripted, PROVIDERS, text } from './scripted-driver';
import { errorOf, events } from './wire';

// The first gateway is the daemon, and the second one a listener of it.

const home = tempHome();
let plain: RunningGateway;
let keeping: RunningGateway;

beforeAll(async () => {
  installScripted(home);
  home.configure(`${PROVIDERS}routes: [{ name: smart, targets: [plain, main] }]\n`);
  plain = await RunningGateway.start([], { env: home.environment() });
  keeping = await RunningGateway.start(['--upstream-status'], { env: home.environment() });
});

afterAll(async () => {
  await keeping.stop();
  await plain.stop();
});

const failing = (code: string, kind?: string, status?: number) => [{ fail: [code, 'it broke', { kind, status }] }];

test.each<[number, string, string, string | undefined, number | undefined]>([
  [400, 'invalid_request_error', 'rejected', undefined, undefined],
  [400, 'invalid_request_error', 'rejected', undefined, 451],
  [400, 'invalid_request_error', 'rejected', 'bad_option', undefined],
  [400, 'invalid_request_error', 'invalid_request', 'context_overflow', undefined],
  [401, 'authentication_error', 'auth', undefined, undefined],
  // A vendor that calls a wrong key a bad request.
  [401, 'authentication_error', 'auth', undefined, 400],
  [402, 'invalid_request_error', 'rejected', 'billing', 402],
  [403, 'permission_error', 'auth', undefined, 403],
  [404, 'invalid_request_error', 'rejected', 'model_unavailable', 400],
  [413, 'invalid_request_error', 'rejected', undefined, 413],
  [422, 'invalid_request_error', 'rejected', undefined, 422],
  [429, 'rate_limit_error', 'rate_limited', 'usage_limit', undefined],
  [503, 'server_error', 'upstream', 'overloaded', 500],
  [503, 'server_error', 'upstream', undefined, 503],
  [529, 'server_error', 'upstream', 'overloaded', 529],
  [502, 'server_error', 'upstream', undefined, 500],
  [502, 'server_error', 'unreachable', undefined, undefined],
  [502, 'server_error', 'not_installed', undefined, undefined],
  [504, 'server_error', 'timeout', undefined, undefined],
])('%i (%s) is the status of %s, kind %s, backend %s', async (status, type, code, kind, sent) => {
  const response = await keeping.chat({ model: 'main', script: failing(code, kind, sent) });
  expect(response.status).toBe(status);
  expect(errorOf(await response.text())).toMatchObject({ type, details: { kind: kind ?? code, provider: 'main' } });
});

test('without the option it is 502', async () => {
  expect((await plain.chat({ model: 'main', script: failing('auth') })).status).toBe(502);
});

test('a route has the status of its last target', async () => {
  const response = await keeping.chat({ model: 'smart', script: failing('auth') });
  expect([response.status, response.headers.get('x-drivebay-attempts')]).toEqual([401, 'plain=auth,main=auth']);
});

test('a failure inside of a stream is an event, as ever', async () => {
  const response = await keeping.chat({ model: 'main', stream: true, script: [text('x'), ...failing('auth')] });
  expect(response.status).toBe(200);
  expect(events(await response.text()).at(-1)?.error).toMatchObject({ code: 'upstream_error' });
});
