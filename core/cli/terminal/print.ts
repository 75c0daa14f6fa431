import { styleText } from 'node:util';
import { formatProblem, type Problem } from '../../errors';
import { printable } from '../../log/printable';

/** Answers of a command go to stdout, everything about it to stderr. */
export function printAnswer(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** For machines: what `--json` prints, but for streams. */
export function printJson(value: unknown): void {
  printAnswer(JSON.stringify(value, undefined, 2));
}

export function printNote(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

export function printWarnings(warnings: readonly Problem[]): void {
  for (const warning of warnings) printNote(`warning: ${formatProblem(warning)}`);
}

export type Colour = 'green' | 'red' | 'yellow' | 'dim';

/** Colours a text for a terminal; elsewhere, and with NO_COLOR, the text stays as it is. */
export function paint(colour: Colour, text: string): string {
  const wanted = process.stdout.isTTY && !process.env.NO_COLOR;
  return wanted ? styleText(colour, text) : text;
}
