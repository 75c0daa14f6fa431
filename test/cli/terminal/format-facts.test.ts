import { formatFacts } from '../../../core/cli/terminal/format-facts';

test('values stand below each other, and their further lines, too', () => {
  const text = formatFacts([
    ['state', 'active'],
    ['variables', 'A=1\nB=2'],
  ]);
  expect(text).toBe('state      active\nvariables  A=1\n           B=2');
});
