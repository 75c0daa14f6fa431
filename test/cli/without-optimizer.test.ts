import { cachedDataVersionTag } from 'node:v8';
import { withoutOptimizer } from '../../core/cli/without-optimizer';

test('work runs under other flags, and those of before are back when it has ended or failed', () => {
  const before = cachedDataVersionTag();
  expect(withoutOptimizer(() => cachedDataVersionTag())).not.toBe(before);
  expect(cachedDataVersionTag()).toBe(before);
  expect(() =>
    withoutOptimizer(() => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  expect(cachedDataVersionTag()).toBe(before);
});
