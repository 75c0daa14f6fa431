import { printable } from '../../log/printable';

/** The beginning of what a spreadsheet runs as a formula, also in the wide forms of East Asian scripts. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** As in RFC 4180: a head, then one line per row. */
export function formatCsv(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [heads, ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const line = printable(value);
  const text = FORMULA.test(line) ? `'${line}` : line;
  // Where a comma is the decimal sign, spreadsheets separate at semicolons.
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
