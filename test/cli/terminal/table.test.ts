import { formatTable } from '../../../core/cli/terminal/table';

test('columns are aligned, two spaces apart, without spaces at the end of a line', () => {
  expect(
    formatTable(
      ['Name', 'B', 'Last'],
      [
        ['a', 'long cell', 'x'],
        ['abcdef', 'b', 'longer'],
      ],
    ),
  ).toBe(['Name    B          Last', 'a       long cell  x', 'abcdef  b          longer'].join('\n'));
});

test('an empty cell is shown as -', () => {
  expect(
    formatTable(
      ['A', 'B'],
      [
        ['', '  '],
        ['x', 'y'],
      ],
    ),
  ).toBe('A  B\n-  -\nx  y');
});

test('an indentation stays', () => {
  expect(formatTable(['Heads', 'B'], [['  row', 'x']])).toBe('Heads  B\n  row  x');
});

test('a table without rows is its heads', () => {
  expect(formatTable(['A', 'B'], [])).toBe('A  B');
});

test('colour is put on after the padding, so that it moves nothing', () => {
  const paint = (text: string) => `<${text}>`;
  expect(formatTable(['State', 'B'], [[{ text: 'ok', paint }, 'x']])).toBe('State  B\n<ok   >  x');
});

test('nothing in a cell can break the line or obey a terminal', () => {
  const table = formatTable(['A', 'B'], [['a\nb\u001b[31mc\u009b1m', 'x\ty']]);
  expect(table).toBe('A             B\na b [31mc 1m  x y');
  expect(table).not.toMatch(/[\u001b\u009b\t]/);
});
