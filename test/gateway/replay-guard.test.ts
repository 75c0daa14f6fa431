import { GatewayError } from '../../core/gateway/gateway-error';
import { ReplayGuard, runFingerprint } from '../../core/gateway/replay-guard';

const error = new GatewayError('timeout', 'too slow');
const body = Buffer.from('{"model":"a"}');

afterEach(() => jest.useRealTimers());

test('the same body to the same device gets the failure for 8 s, no longer', () => {
  jest.useFakeTimers();
  const guard = new ReplayGuard();
  guard.remember(runFingerprint('/dev/llm/a', body), error);
  jest.advanceTimersByTime(7_999);
  expect(guard.recall(runFingerprint('/dev/llm/a', Buffer.from(body)))).toBe(error);
  jest.advanceTimersByTime(1);
  expect(guard.recall(runFingerprint('/dev/llm/a', body))).toBeUndefined();
});

test('another body or another device is another request', () => {
  const guard = new ReplayGuard();
  guard.remember(runFingerprint('/dev/llm/a', body), error);
  expect(guard.recall(runFingerprint('/dev/llm/b', body))).toBeUndefined();
  expect(guard.recall(runFingerprint('/dev/llm/a', Buffer.from('{"model":"a" }')))).toBeUndefined();
});
