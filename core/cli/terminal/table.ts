import { printable } from '../../log/printable';

export interface Cell {
  text: string;
  /** Applied after the cell was padded: escape sequences have no width. */
  paint?: (padded: string) => string;
}

const SPACE = 0x20;

/** Aligns columns with two spaces between them. An empty cell is shown as `-`. */
export function formatTable(heads: string[], rows: (string | Cell)[][]): string {
  const widths = heads.map(() => 0);
  const all = [heads, ...rows];
  const texts = all.map((row) => textsOf(row, widths));
  const spaces = widths.map((width) => ' '.repeat(width));
  return all.map((row, index) => formatRow(row, texts[index]!, spaces)).join('\n');
}

// `ps -a` has thousands of rows, in a process too short for V8 to make loops fast: as little as possible is called for a cell.

/** What is shown of a row. Widens the columns that need it. */
function textsOf(row: (string | Cell)[], widths: number[]): string[] {
  const texts = row.map((cell) => (typeof cell === 'string' ? cell : cell.text));
  const whole = texts.join('');
  const isPrintable = printable(whole) === whole;
  for (let column = 0; column < texts.length; column += 1) {
    let text = texts[column]!;
    if (!isPrintable) text = printable(text);
    // Most end in a letter or a digit, and the code of an empty one is NaN.
    if (!(text.charCodeAt(text.length - 1) > SPACE)) text = text.trimEnd() || '-';
    texts[column] = text;
    if (text.length > widths[column]!) widths[column] = text.length;
  }
  return texts;
}

/** `spaces` are as wide as their columns. */
function formatRow(row: (string | Cell)[], texts: string[], spaces: string[]): string {
  const last = texts.length - 1;
  let line = '';
  for (let column = 0; column <= last; column += 1) {
    const cell = row[column]!;
    const text = texts[column]!;
    const padded = column === last ? text : text + spaces[column]!.slice(text.length);
    if (column > 0) line += '  ';
    line += typeof cell === 'object' && cell.paint ? cell.paint(padded) : padded;
  }
  return line;
}
