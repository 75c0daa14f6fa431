import { Thoughts } from '../../../plugins/eta/thoughts';

test('thinking is found by the id of any call that it led to', () => {
  const thoughts = new Thoughts();
  const blocks = [{ type: 'thinking', thinking: 'x', signature: 's' }];
  thoughts.remember(['a', 'b'], blocks);
  expect(thoughts.recall(['b', 'a'])).toBe(blocks);
  expect(thoughts.recall(['c'])).toEqual([]);
});

test('the oldest make room, by count and by size', () => {
  const thoughts = new Thoughts();
  const large = [{ thinking: 'x'.repeat(9 * 1024 * 1024) }];
  thoughts.remember(['large'], large);
  thoughts.remember(['small'], [{}]);
  thoughts.remember(['other'], large);
  expect(['large', 'small', 'other'].map((id) => thoughts.recall([id]).length)).toEqual([0, 1, 1]);
  for (let n = 0; n < 1000; n += 1) thoughts.remember([`call-${n}`], [{}]);
  expect(['small', 'other', 'call-0', 'call-999'].map((id) => thoughts.recall([id]).length)).toEqual([0, 0, 1, 1]);
});
