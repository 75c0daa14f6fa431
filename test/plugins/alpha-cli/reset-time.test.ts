import { findResetTime } from '../../../plugins/alpha-cli/reset-time';

const NOW = Date.UTC(2026, 0, 15, 12, 30);
const at = (text: string) => {
  const time = findResetTime(text, NOW);
  return time === undefined ? undefined : new Date(time).toISOString();
};

it.each([
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
])('%s', (text, time) => {
  expect(at(text)).toBe(time);
});

it.each(['', 'resets soon', 'resets Foo 3, 1pm', 'resets 1am (No/Where)', 'resets Jan 3, 1pm (UTC)'])(
  'is not found in %j',
  (text) => expect(at(text)).toBeUndefined(),
);

it('means the machine’s own clock without a zone', () => {
  const time = new Date(findResetTime('resets 3am', NOW) ?? 0);
  expect([time.getHours(), time.getMinutes(), time.getTime() > NOW]).toEqual([3, 0, true]);
});
