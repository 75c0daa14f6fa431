import type { ScriptedAnswer } from './backend';

/**
 * Where an answer may be cut at the latest, in bytes: where its last text begins. What comes later may be its end, and
 * more after it. Infinity where that cannot be seen, as in answers that differ each time.
 */
export function cutLimit(answer: ScriptedAnswer, bytesOf: (answer: ScriptedAnswer) => Buffer): number {
  const last = answer.pieces.at(-1) ?? '';
  const other = { ...answer, pieces: [...answer.pieces.slice(0, -1), [...last].reverse().join('')] };
  const [first, same, changed] = [answer, answer, other].map(bytesOf) as [Buffer, Buffer, Buffer];
  if (!first.equals(same)) return Infinity;
  const place = first.findIndex((byte, index) => byte !== changed[index]);
  return place < 0 ? Infinity : place;
}
