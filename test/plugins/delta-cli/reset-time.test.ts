import { secondsUntilReset } from '../../../plugins/delta-cli/reset-time';

/** Local time, as the CLI prints it. */
const now = new Date(2026, 10, 21, 20, 34, 10);
const HOUR = 3600;

test.each([
  ['or try again at 11:34 PM.', 3 * HOUR + 50],
  ['Try again at 8:34 PM.', 50],
  ['try again at 12:05 AM.', 3 * HOUR + 31 * 60 + 50],
  ['try again at 9:00 AM.', 12 * HOUR + 26 * 60 + 50],
  ['try again at Nov 26th, 2026 8:34 PM.', 5 * 24 * HOUR + 50],
  ['try again at January 1st, 2027 12:00 AM', 40 * 24 * HOUR + 3 * HOUR + 26 * 60 + 50],
  ['or try again in 2 days 17 hours 14 minutes.', 2 * 24 * HOUR + 17 * HOUR + 14 * 60],
  ['Please try again in 1 minute.', 60],
  ['Please try again in 7s.', 7],
  ['Please try again in 1.5s.', 2],
  ['Please try again in 20ms.', 1],
])('%s', (message, seconds) => expect(secondsUntilReset(message, now)).toBe(seconds));

test.each(['try again later.', 'Try again.', 'try again in a while', ''])('"%s" names no time', (message) => {
  expect(secondsUntilReset(message, now)).toBeUndefined();
});

test('a date that is over is now', () => {
  expect(secondsUntilReset('try again at Nov 1st, 2026 8:34 PM', now)).toBe(1);
});
