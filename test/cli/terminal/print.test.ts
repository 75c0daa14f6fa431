import { formatFacts, formatTable, shortWords } from '../../../core/cli/terminal/print';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();

/** A table of rows whose cells stand between bars. */
const table = (...rows: string[]) => {
  const [heads = [], ...others] = rows.map((row) => row.split('|'));
  return formatTable(heads, others);
};

test.each<[string, string[], string]>([
  [
    'columns are aligned, two spaces apart, without spaces at the end of a line',
    ['Name|B|Last', 'a|long cell|x', 'abcdef|b|longer'],
    'Name    B          Last\na       long cell  x\nabcdef  b          longer',
  ],
  ['an empty cell is shown as -', ['A|B', '|  ', 'x|y'], 'A  B\n-  -\nx  y'],
  ['an indentation stays', ['Heads|B', '  row|x'], 'Heads  B\n  row  x'],
  ['a table without rows is its heads', ['A|B'], 'A  B'],
  [
    'nothing in a cell can break the line or obey a terminal',
    ['A|B', 'a\nb\u001b[31mc\u009b1m|x\ty'],
    'A             B\na b [31mc 1m  x y',
  ],
])('%s', (_, rows, text) => expect(table(...rows)).toBe(text));

test('colour is added after the padding, so that it moves nothing', () => {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  const text = formatTable(['State', 'B'], [[{ text: 'ok', colour: 'green' }, 'x']]);
  process.stdout.isTTY = isTTY;
  expect(text).toBe('State  B\n\u001b[32mok   \u001b[39m  x');
});

test('values of facts stand below each other, and so do their further lines', () => {
  const text = formatFacts([
    ['state', 'active'],
    ['variables', 'A=1\nB=2'],
  ]);
  expect(text).toBe('state      active\nvariables  A=1\n           B=2');
});

const LONG = 'x'.repeat(100_000);
const SHORT = `${'x'.repeat(200)}... (100000 characters)`;

test('a word that no terminal can show is cut, and the words around it stay', () => {
  expect(shortWords(`error: there is no provider "${LONG}"\n  providers: a, b`)).toBe(
    `error: there is no provider "${'x'.repeat(199)}... (100002 characters)\n  providers: a, b`,
  );
  const path = `/${'folder/'.repeat(100)}file`;
  expect(shortWords(path)).toBe(path);
});

test('a cell of a table is cut', () => {
  expect(formatTable(['Model', 'Context'], [[LONG, '8']])).toBe(
    `${'Model'.padEnd(SHORT.length)}  Context\n${SHORT}  8`,
  );
});

test.each([
  ['models', LONG],
  ['hi', '--provider', LONG],
  ['docs', LONG],
  ['trace', LONG],
  ['config', LONG],
  ['usage', '--by', LONG],
  [`--${LONG}`, 'hi'],
  ['serve', '--api-key-env', LONG],
  ['plugins', 'new', LONG],
  ['plugins', 'check', LONG],
])('%.20s %.20s %.20s: the message is no longer than a screen', async (...words) => {
  home.providers('name: polly, driver: openai-compatible, base_url: "http://127.0.0.1:9/v1"');
  const { code, stdout, stderr } = await home.run(...words);
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(stderr).toContain('... (100');
  expect(stderr.length).toBeLessThan(1_000);
});
