import { styleText } from 'node:util';
import { formatProblem, type Problem } from '../../errors';
import { harmless, printable } from '../../log/printable';

/** The answer of a command goes to stdout; everything else goes to stderr. A pipe or a file gets every byte. */
export function printAnswer(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? harmless(text) : text}\n`);
}

export function printJson(value: unknown): void {
  printAnswer(JSON.stringify(value, undefined, 2));
}

/** Prints an answer as JSON where the user asked for that with --json, else as text. */
export function printReport(json: boolean | undefined, value: unknown, toText: () => string): void {
  if (json) printJson(value);
  else printAnswer(toText());
}

export function printNote(text: string): void {
  process.stderr.write(`${toLine(text)}\n`);
}

/** A line on stderr beside an answer. On a terminal it stands back. */
export function printAside(text: string): void {
  process.stderr.write(`${style('dim', toLine(text), process.stderr)}\n`);
}

/** One line for people. */
export function toLine(text: string): string {
  return shortWords(printable(text));
}

export function printWarnings(warnings: readonly Problem[]): void {
  for (const warning of warnings) printNote(`warning: ${formatProblem(warning)}`);
}

/**
 * The same, without the warnings about providers that the command does not ask. It asks those of `names`; where it names none,
 * or a route, it may ask any.
 */
export function printWarningsFor(
  names: readonly (string | null | undefined)[],
  known: readonly { name: string; driver: string }[],
  warnings: readonly Problem[],
): void {
  const asked = names.filter(Boolean);
  const isAny = asked.length === 0 || known.some(({ name, driver }) => driver === 'route' && asked.includes(name));
  printWarnings(warnings.filter(({ provider }) => isAny || provider === undefined || asked.includes(provider)));
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim';

/** Colours a text of the answer. */
export function paint(colour: Colour, text: string): string {
  return style(colour, text, process.stdout);
}

/** Node itself would look at stdout for a line on stderr, and take an empty NO_COLOR for one that is set. */
function style(colour: Colour, text: string, stream: NodeJS.WriteStream): string {
  return hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text;
}

/** A pipe has none, also with FORCE_COLOR: programs such as test runners set it for all below them, and then read a table. */
function hasColours({ isTTY }: NodeJS.WriteStream): boolean {
  const { NO_COLOR, TERM } = process.env;
  return isTTY && !NO_COLOR && TERM !== 'dumb';
}

const LONGEST_WORD = 1_000;
const SHOWN = 200;

/**
 * Cuts words that no terminal can show. A name or a path that a user gives may have 100,000 characters, and a message repeats it.
 * JSON and answers keep theirs. No message cuts before it is redacted: the rest of a key would be recognized no more.
 */
export function shortWords(text: string): string {
  if (text.length <= LONGEST_WORD) return text;
  return text.replace(/\S+/g, (word) =>
    word.length <= LONGEST_WORD ? word : `${word.slice(0, SHOWN)}... (${word.length} characters)`,
  );
}

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
