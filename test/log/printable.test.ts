import { styleText } from 'node:util';
import { harmless, printable } from '../../core/log/printable';

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

test.each([
  ['a title', 'a\u001b]0;title\u0007b', 'a ]0;title b'],
  ['an erased screen', '\u001b[2Ja\u009b2Jb', ' [2Ja 2Jb'],
  ['a line that is written over', 'a\rb', 'a b'],
  ['hidden text', '\u001b[8ma', ' [8ma'],
  ['a reversed text', 'abc\u202etxt.exe', 'abc txt.exe'],
])('%s in an answer of several lines does nothing to a terminal', (_, text, expected) => {
  expect(harmless(text)).toBe(expected);
});

test('lines, tabs and our colours stay in an answer of several lines', () => {
  const text = `a\n\tb ${styleText(['green', 'dim'], 'c')}${styleText(['red', 'yellow'], 'd')}`;
  expect(harmless(text)).toBe(text);
});
