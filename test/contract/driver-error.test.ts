import { DriverError, isDriverError, makeDriverError } from '../../core/contract/driver-error';

test('carries what it is given, with the code as its kind', () => {
  const cause = new Error('inner');
  const error = new DriverError('rate_limited', 'slow down', { status: 429, retryAfterS: 3, cause });
  expect(error).toMatchObject({ name: 'DriverError', code: 'rate_limited', kind: 'rate_limited', status: 429 });
  expect(error).toMatchObject({ retryAfterS: 3, sideEffects: false, hint: undefined, cause });
});

test('has no cause where none was given', () => {
  expect(new DriverError('upstream', 'x')).not.toHaveProperty('cause');
});

test('is not made with a code that there is not, and its message is not lost', () => {
  const make = () => makeDriverError('boom' as 'auth', 'the backend fell over');
  expect(make).toThrow(/no code "boom" \(it has auth, .*\); the error was: the backend fell over/);
});

test.each([
  ['an error of the class', new DriverError('auth', 'x', { kind: 'login_required' }), true],
  ['an error of another copy', Object.assign(new Error('x'), { name: 'DriverError', code: 'timeout' }), true],
  ['an unknown code', Object.assign(new Error('x'), { name: 'DriverError', code: 'constructor' }), false],
  ['another class', Object.assign(new Error('x'), { code: 'timeout' }), false],
  ['nothing', undefined, false],
])('knows %s', (_, error, expected) => {
  expect(isDriverError(error)).toBe(expected);
});
