/** Three significant digits, but never less than the whole number: 0.213, 61.4, 15300. */
function digits(value) {
  if (value === undefined) return '';
  const decimals = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(decimals);
}

const COLUMNS = [
  ['', (row) => row.label],
  ['direct', (row) => digits(row.direct)],
  ['floor', (row) => digits(row.floor)],
  ['gateway', (row) => digits(row.gateway)],
  ['result', (row) => (row.value === undefined ? '' : digits(row.value) + row.unit)],
  ['range', (row) => (row.value === undefined ? '' : `${digits(row.lowest)} - ${digits(row.highest)}`)],
  ['must', (row) => digits(row.must)],
  ['aim', (row) => digits(row.aim)],
  ['verdict', (row) => row.verdict],
];

/** The first column and the verdict are words and stand left, numbers stand right. */
export function formatTable(rows) {
  const cells = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, text]) => text(row)))];
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const isWord = (column) => column === 0 || column === COLUMNS.length - 1;
  const pad = (text, column) => (isWord(column) ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return cells.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}
