import { styleText } from 'node:util';
import { formatProblem, type Problem } from '../../errors';
import { harmless, printable } from '../../log/printable';
import { shortWords } from './short-words';

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

/** `asked`: the providers that the command asks, where it asks no other. Warnings about another one are left out. */
export function printWarnings(warnings: readonly Problem[], asked?: readonly string[]): void {
  for (const warning of warnings) {
    const isOther = asked !== undefined && warning.provider !== undefined && !asked.includes(warning.provider);
    if (!isOther) printNote(`warning: ${formatProblem(warning)}`);
  }
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
