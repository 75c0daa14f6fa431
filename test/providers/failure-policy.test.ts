import { DriverError } from '../../core/contract/driver-error';
import { failurePolicies, maySwitchProvider } from '../../core/providers/failure-policy';

test('another provider is asked where the backend failed, and not where the request did', () => {
  const codes = Object.keys(failurePolicies) as (keyof typeof failurePolicies)[];
  const switching = codes.filter((code) => maySwitchProvider(new DriverError(code, 'x')));
  expect(switching).toEqual(['auth', 'unreachable', 'timeout', 'upstream', 'not_installed', 'protocol']);
});

test('an empty answer is an answer', () => {
  expect(maySwitchProvider(new DriverError('upstream', 'x', { kind: 'empty' }))).toBe(false);
});
