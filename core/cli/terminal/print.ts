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
  process.stderr.write(`${printable(text)}\n`);
}

/** A line on stderr beside an answer. On a terminal it stands back. */
export function printAside(text: string): void {
  const isDim = process.stderr.isTTY && !process.env.NO_COLOR;
  process.stderr.write(`${isDim ? styleText('dim', printable(text)) : printable(text)}\n`);
}

export function printWarnings(warnings: readonly Problem[]): void {
  for (const warning of warnings) printNote(`warning: ${formatProblem(warning)}`);
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim';

/** Colours a text for a terminal. Elsewhere, and with NO_COLOR, the text stays as it is. */
export function paint(colour: Colour, text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(colour, text) : text;
}
