import { printable } from '../../log/printable';
import { type Colour, paint } from './print';

export interface FindingLine {
  status: string;
  colour: Colour;
  code: string;
  message: string;
  /** What to do, on a line of its own. */
  advice?: string;
}

const STATUS_WIDTH = 7;

/** A finding of `doctor` or `plugins check` as text. `width` is the widest code of the list. */
export function formatFinding(
  { status, colour, code, message, advice }: FindingLine,
  { indent = '', width = code.length } = {},
): string {
  const head = `${indent}${paint(colour, status.padEnd(STATUS_WIDTH))}  ${code.padEnd(width)}  ${printable(message)}`;
  if (advice === undefined) return head;
  return `${head}\n${' '.repeat(indent.length + STATUS_WIDTH + width + 4)}${printable(advice)}`;
}

/** How often each word occurs, in the order of `words`. */
export function countEach<Word extends string>(
  words: readonly Word[],
  occurrences: readonly Word[],
): Record<Word, number> {
  const counts = words.map((word) => [word, occurrences.filter((each) => each === word).length]);
  return Object.fromEntries(counts) as Record<Word, number>;
}
