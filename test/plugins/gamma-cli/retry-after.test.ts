import { retryAfter } from '../../../plugins/gamma-cli/retry-after';

test.each([
  ['Suggested retry after 60s.', 60],
  ['Please retry in 12.3s.', 13],
  ['Your quota will reset after 2h14m3s.', 2 * 3600 + 14 * 60 + 3],
  ['Please try again in 20ms', 1],
  ['Please try again in 2 minutes and 5 seconds', 125],
])('%s', (message, seconds) => expect(retryAfter(message)).toBe(seconds));

test.each(['Please wait and try again later.', 'retry after the weekend', ''])('"%s" names no time', (message) => {
  expect(retryAfter(message)).toBeUndefined();
});
