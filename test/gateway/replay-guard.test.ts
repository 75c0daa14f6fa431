import { DriverError } from '../../core/contract/driver-error';
import type { LlmDevice } from '../../core/devices/device';
import { ReplayGuard } from '../../core/gateway/replay-guard';
import { gatewayError } from '../../core/gateway/to-http-error';

const told = gatewayError('timeout', 'too slow');
const failure = new DriverError('timeout', 'too slow', { sideEffects: true });
const body = Buffer.from('{"model":"a"}');
const device = (name: string, driverKind = 'cli') =>
  ({ driverKind, runsPrograms: driverKind === 'cli', path: `/dev/llm/${name}` }) as LlmDevice;

/** A guard that has seen a run of `/dev/llm/a` with `body` fail. */
function afterFailure(cause: Error = failure): ReplayGuard {
  const guard = new ReplayGuard();
  guard.remember(guard.check(device('a'), body, {}), cause, told);
  return guard;
}

afterEach(() => jest.useRealTimers());

test('the same body to the same device gets the failure for 8 s, no longer', () => {
  jest.useFakeTimers();
  const guard = afterFailure();
  const headers = {};
  jest.advanceTimersByTime(7_999);
  expect(() => guard.check(device('a'), Buffer.from(body), headers)).toThrow(told);
  expect(headers).toEqual({ 'x-drivebay-replayed': 'true' });
  jest.advanceTimersByTime(1);
  expect(guard.check(device('a'), body, {})).toEqual(expect.any(String));
});

test('another body or another device is another run, and other drivers have none', () => {
  const guard = afterFailure();
  expect(guard.check(device('b'), body, {})).toEqual(expect.any(String));
  expect(guard.check(device('a'), Buffer.from('{"model":"a" }'), {})).toEqual(expect.any(String));
  expect(guard.check(device('a', 'http'), body, {})).toBeUndefined();
});

test.each([
  ['had no side effects', new DriverError('timeout', 'too slow')],
  ['was canceled', new DriverError('canceled', 'gone', { sideEffects: true })],
  ['is no failure of a driver', new Error('a bug')],
])('a run that %s may be repeated', (_name, cause) => {
  expect(afterFailure(cause).check(device('a'), body, {})).toEqual(expect.any(String));
});
