import { splitWords } from '../../../core/cli/shell/split-words';

test.each<[string, string[]]>([
  ['ps -a', ['ps', '-a']],
  ['  spawn\t x  ', ['spawn', 'x']],
  ['', []],
  [`spawn "fix the bug" 'and that'`, ['spawn', 'fix the bug', 'and that']],
  [`"what's new" 'say "x"'`, ["what's new", 'say "x"']],
  [String.raw`"a \"b\" \n \\" c\ d 'e\'`, [String.raw`a "b" \n \ `.trim(), 'c d', 'e\\']],
  [`--model="a b"c`, ['--model=a bc']],
  [`spawn ""`, ['spawn', '']],
])('%s', (line, words) => expect(splitWords(line)).toEqual(words));

test.each([`what's new`, `say "x`, 'ends with \\'])('%s has no end', (line) =>
  expect(() => splitWords(line)).toThrow(/^a quote or a backslash has no end: ['"\\]/),
);
