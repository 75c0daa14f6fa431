import { randomBytes } from 'node:crypto';
import { keyPatterns } from '../../core/contract/key-patterns';

test('many keys make several expressions, and V8 optimizes each of them', () => {
  const keys = Array.from({ length: 60 }, (_, count) => randomBytes(8 + count * 12).toString('base64'));
  const patterns = keyPatterns(keys);
  for (const { source } of patterns) expect(source.length).toBeLessThan(20 * 1024);
  for (const key of keys) expect(patterns.some((pattern) => key.search(pattern) === 0)).toBe(true);
});

test('few keys make one expression', () => {
  expect(keyPatterns(['sk-proj-AbCdEfGh0123456789', 'password-of-a-server'])).toHaveLength(1);
  expect(keyPatterns([])).toEqual([]);
});
