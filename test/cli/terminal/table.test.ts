import { formatFacts, formatTable } from '../../../core/cli/terminal/table';

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

test('colour is added after the padding, so that it moves nothing', () => {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const text = formatTable(['State', 'B'], [[{ text: 'ok', colour: 'green' }, 'x']]);
  process.stdout.isTTY = isTTY;
  expect(text).toBe('State  B\n\u001b[32mok   \u001b[39m  x');
});

test('nothing in a cell can break the line or obey a terminal', () => {
  const table = formatTable(['A', 'B'], [['a\nb\u001b[31mc\u009b1m', 'x\ty']]);
  expect(table).toBe('A             B\na b [31mc 1m  x y');
  expect(table).not.toMatch(/[\u001b\u009b\t]/);
});

test('values of facts stand below each other, and so do their further lines', () => {
  const text = formatFacts([
    ['state', 'active'],
    ['variables', 'A=1\nB=2'],
  ]);
  expect(text).toBe('state      active\nvariables  A=1\n           B=2');
});
