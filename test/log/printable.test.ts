import { printable } from '../../core/log/printable';

test.each([
  ['a line break', 'one\nfake line', 'one fake line'],
  ['an escape sequence', '\u001b[2Jgone', ' [2Jgone'],
  ['a one-byte escape', '\u009b31mred', ' 31mred'],
  ['a reversed text', 'abc\u202etxt.exe', 'abc txt.exe'],
  ['a line separator', 'one\u2028two', 'one two'],
])('%s does nothing to a terminal', (_, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('words of any language stay as they are', () => {
  expect(printable('Größe 模型 نموذج 🙂')).toBe('Größe 模型 نموذج 🙂');
});
