import { formatCost, formatDuration } from '../../../core/cli/terminal/format';

test.each([
  [0, ''],
  [0.000_000_25, '$0.00000025'],
  [0.000_001, '$0.000001'],
  [0.0096, '$0.0096'],
  [0.015, '$0.015'],
  [0.019_203, '$0.0192'],
  [0.5, '$0.50'],
  [0.999_6, '$1.00'],
  [12.345, '$12.35'],
  [1200, '$1200.00'],
])('a cost of %d reads as "%s": in cents, or in three digits where it is small', (usd, text) => {
  expect(formatCost(usd)).toBe(text);
});

test('what ends before its beginning, because a clock was set back, has taken no time', () => {
  expect(formatDuration(-3_600_000)).toBe('0ms');
});
