import { type Colour, paint, toLine } from './print';

export interface Cell {
  text: string;
  colour: Colour;
}

/** Aligns columns, with two spaces between them. An empty cell shows as `-`. */
export function formatTable(heads: string[], rows: (string | Cell)[][]): string {
  const texts = [heads, ...rows].map((row) =>
    row.map((cell) => toLine(typeof cell === 'string' ? cell : cell.text).trimEnd() || '-'),
  );
  const widths = heads.map((_, column) => texts.reduce((width, row) => Math.max(width, row[column]!.length), 0));
  const align = (row: (string | Cell)[], index: number) =>
    row.map((cell, column) => {
      const text = texts[index]![column]!;
      const padded = column === heads.length - 1 ? text : text.padEnd(widths[column]!);
      // The colour comes after the padding: escape sequences have no width.
      return typeof cell === 'string' ? padded : paint(cell.colour, padded);
    });
  return [heads, ...rows].map((row, index) => align(row, index).join('  ')).join('\n');
}

/** Aligns pairs of a name and a value, one pair per line. Further lines of a value stand below its first line. */
export function formatFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(width)}`;
  return facts.map(([name, value]) => name.padEnd(width) + value.replaceAll('\n', indent)).join('\n');
}
