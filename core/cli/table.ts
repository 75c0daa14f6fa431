import { printable } from '../printable';

export interface Cell {
  text: string;
  /** Applied after the cell was padded: escape sequences have no width. */
  paint?: (padded: string) => string;
}

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
    const text = texts[column]!;
    const shown = (isPrintable ? text : printable(text)).trimEnd() || '-';
    texts[column] = shown;
    if (shown.length > widths[column]!) widths[column] = shown.length;
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
