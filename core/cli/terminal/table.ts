import { printable } from '../../log/printable';
import { type Colour, paint } from './print';

export interface Cell {
  text: string;
  colour: Colour;
}

const SPACE = 0x20;

/** Aligns columns, with two spaces between them. An empty cell shows as `-`. */
export function formatTable(heads: string[], rows: (string | Cell)[][]): string {
  const widths = heads.map(() => 0);
  const all = [heads, ...rows];
  const texts = all.map((row) => textsOf(row, widths));
  const spaces = widths.map((width) => ' '.repeat(width));
  return all.map((row, index) => formatRow(row, texts[index]!, spaces)).join('\n');
}

// Speed: `ps -a` prints thousands of rows in a process that ends before V8 optimizes these loops, so a cell costs few calls.

/** The texts of a row as the table shows them. Widens the columns that need it. */
function textsOf(row: (string | Cell)[], widths: number[]): string[] {
  const texts = row.map((cell) => (typeof cell === 'string' ? cell : cell.text));
  const whole = texts.join('');
  const isPrintable = printable(whole) === whole;
  for (let column = 0; column < texts.length; column += 1) {
    let text = texts[column]!;
    if (!isPrintable) text = printable(text);
    // Most texts end in a letter or a digit. The code of an empty text is NaN.
    if (!(text.charCodeAt(text.length - 1) > SPACE)) text = text.trimEnd() || '-';
    texts[column] = text;
    if (text.length > widths[column]!) widths[column] = text.length;
  }
  return texts;
}

/** Each entry of `spaces` is as wide as its column. The colour comes after the padding: escape sequences have no width. */
function formatRow(row: (string | Cell)[], texts: string[], spaces: string[]): string {
  const last = texts.length - 1;
  let line = '';
  for (let column = 0; column <= last; column += 1) {
    const cell = row[column]!;
    const text = texts[column]!;
    const padded = column === last ? text : text + spaces[column]!.slice(text.length);
    if (column > 0) line += '  ';
    line += typeof cell === 'object' ? paint(cell.colour, padded) : padded;
  }
  return line;
}

/** Aligns pairs of a name and a value, one pair per line. Further lines of a value stand below its first line. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(width)}`;
  return facts.map(([name, value]) => name.padEnd(width) + value.replaceAll('\n', indent)).join('\n');
}
