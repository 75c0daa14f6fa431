import { preferredModel } from '../../../core/cli/init/preferences';

test('the first wish that is offered wins', () => {
  expect(preferredModel(['a', 'b'], ['c', 'b'])).toBe('b');
  expect(preferredModel(['a', 'b'], ['c'])).toBeUndefined();
});

test('where nothing is known of the offer, the first plain name has to do', () => {
  expect(preferredModel(['big-*', 'small'], undefined)).toBe('small');
  expect(preferredModel(['big-*'], undefined)).toBeUndefined();
});

test('of several that fit, the highest version counts, by number', () => {
  expect(preferredModel(['m-*'], ['m-9', 'm-10', 'm-2'])).toBe('m-10');
});

test('a name that lasts is better than one with a date, one for everything better than one for a purpose', () => {
  expect(preferredModel(['m-*'], ['m-5-2026-01-01', 'm-5', 'm-6-audio'])).toBe('m-5');
  expect(preferredModel(['m-*'], ['m-5-audio'])).toBe('m-5-audio');
});

test('only the star is special in a wish', () => {
  expect(preferredModel(['m.1(*'], ['mx1(2', 'm.1(2'])).toBe('m.1(2');
});
