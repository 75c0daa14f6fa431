import { printable } from '../printable';

export interface Cell {
  text: string;
  /** Applied after the cell was padded: escape sequences have no width. */
  paint?: (padded: string) => string;
}

/** Aligns columns with two spaces between them. An empty cell is shown as `-`. */
export function formatTable(heads: string[], rows: (string | Cell)[][]): string {
  const cells = [heads, ...rows].map((row) =>
    row.map((value): Cell => {
      if (typeof value === 'string') return { text: shown(value) };
      return { ...value, text: shown(value.text) };
    }),
  );
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.text.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map(({ text, paint }, column) => {
          const padded = column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0);
          return paint ? paint(padded) : padded;
        })
        .join('  '),
    )
    .join('\n');
}

function shown(text: string): string {
  return printable(text).trimEnd() || '-';
}
