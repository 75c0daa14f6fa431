import { withIgnored } from '../../core/gateway/answer-headers';

const namesIn = (ignored: string[]) => withIgnored({}, ignored)['x-drivebay-ignored-params']!;

test('a header has no characters that it cannot hold', () => {
  expect(namesIn(['a\nb', 'ü', 'c'])).toBe('ab,,c');
});

test('a list that a client could not take ends at a name', () => {
  const names = Array.from({ length: 500 }, (_, index) => `name${index}`);
  const kept = namesIn(names).split(',');
  expect(kept).toEqual(names.slice(0, kept.length));
  expect(namesIn(['x'.repeat(300_000), 'y']).length).toBeLessThan(200);
});
