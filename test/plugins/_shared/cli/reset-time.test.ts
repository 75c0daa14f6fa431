import { resetTime } from '../../../../plugins/_shared/cli/reset-time';

const NOW = Date.UTC(2026, 0, 15, 12, 30);
const HOUR = 3_600;
const isoTime = (text: string) => new Date(resetTime(text, NOW)!).toISOString();
const seconds = (text: string, now: number) => Math.ceil((resetTime(text, now)! - now) / 1000);

test.each([
  ['Claude AI usage limit reached|1768500000', '2026-01-15T18:00:00.000Z'],
  ['limit reached|1768500000000', '2026-01-15T18:00:00.000Z'],
  ["You've hit your limit · resets 3pm (UTC)", '2026-01-15T15:00:00.000Z'],
  ['You’ve hit your session limit ∙ resets 3:45pm (UTC)', '2026-01-15T15:45:00.000Z'],
  ['5-hour limit reached - resets at 1am (UTC)', '2026-01-16T01:00:00.000Z'],
  ['limit reached ∙ resets 12am (UTC)', '2026-01-16T00:00:00.000Z'],
  ['resets 1am (Europe/Zurich)', '2026-01-16T00:00:00.000Z'],
  ['resets 9:15am (America/New_York)', '2026-01-15T14:15:00.000Z'],
  ['Weekly limit reached ∙ resets Jan 20, 1pm (UTC)', '2026-01-20T13:00:00.000Z'],
  ['Weekly limit reached ∙ resets January 20 at 1:30pm (UTC)', '2026-01-20T13:30:00.000Z'],
  // Between now and then the clocks change.
  ['resets Apr 2, 1pm (Europe/Zurich)', '2026-04-02T11:00:00.000Z'],
  ['Your usage limits will reset when your monthly cycle ends on 1/16/2026.', '2026-01-17T00:00:00.000Z'],
])('%s', (text, time) => expect(isoTime(text)).toBe(time));

test.each([
  ['', 'resets soon', 'resets Foo 3, 1pm', 'resets 1am (No/Where)', 'resets Jan 3, 1pm (UTC)'],
  ['try again later.', 'try again in a while', 'try again in 2 months', 'retry after the weekend'],
  ['limits reset on 1/14/2026', 'a limit'],
])('no time is found in %j, %j ...', (...texts) => {
  expect(texts.map((text) => resetTime(text, NOW))).toEqual(texts.map(() => undefined));
});

describe('without a zone, the time of this machine is meant', () => {
  const now = new Date(2026, 10, 21, 20, 34, 10).getTime();

  test.each([
    ['or try again at 11:34 PM.', 3 * HOUR + 50],
    ['Try again at 8:34 PM.', 50],
    ['try again at 12:05 AM.', 3 * HOUR + 31 * 60 + 50],
    ['try again at 9:00 AM.', 12 * HOUR + 26 * 60 + 50],
    ['try again at Nov 26th, 2026 8:34 PM.', 5 * 24 * HOUR + 50],
    ['try again at January 1st, 2027 12:00 AM', 40 * 24 * HOUR + 3 * HOUR + 26 * 60 + 50],
    ['try again at Nov 1st, 2026 8:34 PM', 0],
  ])('%s', (text, expected) => expect(seconds(text, now)).toBe(expected));

  test('resets 3am', () => {
    const time = new Date(resetTime('resets 3am', now)!);
    expect([time.getHours(), time.getMinutes(), time.getTime() > now]).toEqual([3, 0, true]);
  });
});

test.each([
  ['or try again in 2 days 17 hours 14 minutes.', 2 * 24 * HOUR + 17 * HOUR + 14 * 60],
  ['Please try again in 1 minute.', 60],
  ['Please try again in 7s.', 7],
  ['Please try again in 1.5s.', 2],
  ['Please try again in 20ms.', 1],
  ['Suggested retry after 60s.', 60],
  ['Please retry in 12.3s.', 13],
  ['Your quota will reset after 2h14m3s.', 2 * HOUR + 14 * 60 + 3],
  ['Please try again in 2 minutes and 5 seconds', 125],
])('%s', (text, expected) => expect(seconds(text, NOW)).toBe(expected));
