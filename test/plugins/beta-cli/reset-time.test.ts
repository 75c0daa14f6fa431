import { secondsUntilReset } from '../../../plugins/beta-cli/reset-time';

const now = new Date('2026-10-01T23:00:00Z');

test.each([
  ['Your usage limits will reset when your monthly cycle ends on 10/2/2026.', 25 * 3600],
  ['limits reset on 10/1/2026', 3600],
  ['limits reset on 9/30/2026', undefined],
  ['a limit', undefined],
])('%j ends in %s seconds', (message, seconds) => expect(secondsUntilReset(message, now)).toBe(seconds));
