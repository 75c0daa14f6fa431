import type { ScriptedAnswer } from './backend';

/**
 * How many bytes of an answer may be sent at most, so that it is surely cut short: those before its last text. Infinity where
 * that place cannot be found, as in answers that differ each time.
 */
export function cutLimit(answer: ScriptedAnswer, bytesOf: (answer: ScriptedAnswer) => Buffer): number {
  const last = answer.pieces.at(-1) ?? '';
  const other = { ...answer, pieces: [...answer.pieces.slice(0, -1), [...last].reverse().join('')] };
  const [first, same, changed] = [answer, answer, other].map(bytesOf) as [Buffer, Buffer, Buffer];
  if (!first.equals(same)) return Infinity;
  const place = first.findIndex((byte, index) => byte !== changed[index]);
  return place < 0 ? Infinity : place;
}
