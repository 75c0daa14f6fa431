import type { DriverContext } from 'drivebay/plugin';
import { DriverError, makeDriverError } from '../../../../core/contract/driver-error';
import { explainError } from '../../../../plugins/_shared/http/explain-error';

const context = { error: makeDriverError, options: {} } as unknown as DriverContext<object>;
const explained = (failure: DriverError) =>
  explainError(context, failure, {}, new URL('http://host/v1')) as DriverError;

test.each([
  ['Rate limit reached for gpt-5. Please try again in 11.054s. Visit https://vendor/limits', 12],
  ['Please try again in 7m12.3s.', 433],
  ['Please try again in 350ms.', 1],
  ['Quota exceeded, retry after 20 seconds', 20],
  ['Please try again later.', undefined],
])('a limit without a header ends when its words say so: %s', (message, seconds) => {
  expect(explained(new DriverError('rate_limited', message, { status: 429 })).retryAfterS).toBe(seconds);
});

test('the header counts before the words, and other failures have no such words', () => {
  const words = 'Please try again in 9s.';
  expect(explained(new DriverError('rate_limited', words, { retryAfterS: 3 })).retryAfterS).toBe(3);
  const other = new DriverError('upstream', words);
  expect(explained(other)).toBe(other);
});
