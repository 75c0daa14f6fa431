import { DriverError } from '../../core/contract/driver-error';
import { CallAborted } from '../../core/providers/call-clock';
import { toFailure } from '../../core/providers/to-failure';
import { Redactor } from '../../core/contract/redact';

const KEY = 'sk-planted-key';
const redactor = new Redactor();
redactor.add(KEY);
const provider = { driverAlias: 'd', codeDirectory: '/nowhere', redactor };
const fail = (error: unknown, mayHaveActed?: boolean) => toFailure(error, provider, mayHaveActed);

test('a driver error keeps everything but keys', () => {
  const details = {
    kind: 'usage_limit' as const,
    param: KEY,
    hint: `use ${KEY}`,
    status: 429,
    retryAfterS: 5,
    sideEffects: true,
  };
  const failure = fail(new DriverError('rate_limited', `it said ${KEY}`, details));
  const redacted = { message: 'it said [redacted]', hint: 'use [redacted]', param: '[redacted]' };
  expect(failure).toMatchObject({ ...details, code: 'rate_limited', ...redacted });
});

test.each([
  [7, 'try again in 7 s'],
  [119, 'try again in 119 s'],
  [600, 'try again in 10 min'],
  [18_000, 'try again in 5 h'],
])('a backend that wants to be asked again after %s s gives a hint, where the driver has none', (retryAfterS, hint) => {
  expect(fail(new DriverError('rate_limited', 'slow down', { retryAfterS }))).toMatchObject({ hint });
  const own = { retryAfterS, hint: 'buy more' };
  expect(fail(new DriverError('rate_limited', 'slow down', own))).toMatchObject({ hint: 'buy more' });
});

test('a text that is too long for an answer and a log is cut behind its beginning', () => {
  const page = `<html>${'x'.repeat(5_000_000)}${KEY}`;
  const { message, hint, param } = fail(new DriverError('upstream', page, { hint: page, param: page }));
  for (const text of [message, hint, param]) expect(text).toMatch(/^<html>x{3994} \.\.\. \(\d{7} more characters\)$/);
  expect(fail(new Error(page)).message).toMatch(/^driver "d" failed: <html>x+ \.\.\. \(\d{7} more characters\)$/);
});

test('the driver error of a second copy of the class counts as well', () => {
  const foreign = Object.assign(new Error('x'), { name: 'DriverError', code: 'auth', kind: 'login_required' });
  expect(fail(foreign)).toMatchObject({ code: 'auth', kind: 'login_required' });
  const unsound = Object.assign(foreign, { kind: 'tired', status: '404', hint: 5 });
  expect(fail(unsound)).toMatchObject({ code: 'auth', kind: 'auth', status: undefined, hint: undefined });
});

test.each([
  [new Error('oops'), 'driver "d" failed: oops'],
  [new TypeError('x is not a function'), 'driver "d" failed: x is not a function'],
  ['a text', 'driver "d" failed: a text'],
  [undefined, 'driver "d" failed: undefined'],
  [null, 'driver "d" failed: null'],
  [
    Object.assign(new Error('no such code'), { name: 'DriverError', code: 'toString' }),
    'driver "d" failed: no such code',
  ],
])('anything else thrown (%s) is a bug of the driver', (thrown, message) => {
  expect(fail(thrown)).toMatchObject({ code: 'upstream', kind: 'driver_bug', message });
});

test.each([
  ['timeout', 'timeout'],
  ['client_gone', 'canceled'],
  ['killed', 'canceled'],
  ['shutdown', 'canceled'],
] as const)('a call that ended with %s fails with the code %s', (code, expected) => {
  const reason = new CallAborted(code, 'it is over', 'do this');
  expect(fail(reason)).toMatchObject({ code: expected, kind: code, message: 'it is over', hint: 'do this' });
});

test('an agent that was stopped may have acted', () => {
  expect(fail(new Error('x'), true).sideEffects).toBe(true);
  expect(fail(new Error('x')).sideEffects).toBe(false);
});

test.each([
  [1.2, 2],
  [NaN, undefined],
  ['7', undefined],
])('a driver that says to wait %p s is passed on as %p', (retryAfterS, expected) => {
  const foreign = Object.assign(new Error('x'), { name: 'DriverError', code: 'rate_limited', retryAfterS });
  expect(fail(foreign).retryAfterS).toBe(expected);
});

test.each(['ate_a_worm', 5, '__proto__'])('the kind %p is not on the list: the code stands for it', (kind) => {
  const foreign = Object.assign(new Error('x'), { name: 'DriverError', code: 'rejected', kind });
  expect(fail(foreign).kind).toBe('rejected');
});
