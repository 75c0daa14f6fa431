import { type Colour, paint, toLine } from './print';

interface FindingLine {
  status: string;
  colour: Colour;
  code: string;
  message: string;
  advice?: string;
}

const STATUS_WIDTH = 7;

/** A finding of `doctor` or `plugins check` as text. `width` is the widest code of the list. */
export function formatFinding(
  { status, colour, code, message, advice }: FindingLine,
  { indent = '', width = code.length } = {},
): string {
  const head = `${indent}${paint(colour, status.padEnd(STATUS_WIDTH))}  ${code.padEnd(width)}  ${toLine(message)}`;
  if (advice === undefined) return head;
  return `${head}\n${' '.repeat(indent.length + STATUS_WIDTH + width + 4)}${toLine(advice)}`;
}

export function countEach<Status extends string>(
  colours: Record<Status, Colour>,
  given: readonly Status[],
): Record<Status, number> {
  const counts = Object.keys(colours).map((status) => [status, given.filter((each) => each === status).length]);
  return Object.fromEntries(counts) as Record<Status, number>;
}
