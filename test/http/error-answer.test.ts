import { readRetryAfter } from '../../core/http/error-answer';

const NOW = Date.parse('2026-11-21T10:00:00Z');

test.each([
  [{}, undefined],
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '0.5' }, 1],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' }, 90],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3 apples' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '1e+23' }, undefined],
  [{ 'retry-after': '9'.repeat(23) }, undefined],
  [{ 'retry-after': '1763719200' }, undefined],
  [{ 'retry-after': 'Sat, 21 Nov 2099 09:00:00 GMT' }, undefined],
  [{ 'retry-after': 'NaN' }, undefined],
  [{ 'retry-after': '604800' }, 604800],
  [{ 'retry-after-ms': '1500' }, 2],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 2],
])('the headers %j ask to wait %p s', (headers, seconds) => {
  expect(readRetryAfter(headers as Record<string, string>, NOW)).toBe(seconds);
});
